// custom-token-exchange: a person's access token for one API is exchanged for one of another API, in the name of the calling service.
const { createRemoteJWKSet, jwtVerify } = require('jose')
const log = require('debug')('exchange')

exports.onExecuteCustomTokenExchange = async (event, api) => {
  const { transaction, client, request, secrets } = event
  const issuer = `https://${request.hostname}/`
  const keys = createRemoteJWKSet(new URL('.well-known/jwks.json', issuer))
  const { OWN_AUDIENCE: audience } = secrets
  const options = { issuer, audience, algorithms: ['RS256'], requiredClaims: ['sub', 'exp'] }
  const verified = await jwtVerify(transaction.subject_token, keys, options).catch((error) => log('%s', error.code))
  if (!verified) return api.access.rejectInvalidSubjectToken('This server did not issue this token')
  const { sub, org_id } = verified.payload
  if (transaction.requested_scopes.includes('offline_access'))
    return api.access.deny('invalid_scope', 'A service gets no refresh token')
  api.authentication.setUserById(sub)
  if (org_id) api.authentication.setOrganization(org_id)
  api.authentication.setActor({ sub: client.client_id })
}
