// credentials-exchange: a machine gets a token from its own network, for what its team may do, and the token names the team.
exports.onExecuteCredentialsExchange = async (event, api) => {
  const { client, request, transaction } = event
  const { addresses = '', team, read_only } = client.metadata
  if (!addresses.split(' ').includes(request.ip)) return api.access.deny('invalid_request', 'Not from this network')
  const writes = transaction.requested_scopes.filter((scope) => scope.startsWith('write:'))
  if (read_only === 'yes' && writes.length > 0)
    return api.access.deny('invalid_scope', `Not for you: ${writes.join(' ')}`)
  api.accessToken.setCustomClaim('https://acme.example/team', team ?? 'none')
}
