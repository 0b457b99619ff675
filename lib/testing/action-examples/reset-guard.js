// password-reset-post-challenge: who may set a new password: not from blocked networks, not people who left, as a service knows.
exports.onExecutePostChallenge = async (event, api) => {
  const { user, request, connection, secrets } = event
  if (request.ip === secrets.BLOCKED_ADDRESS) return api.access.deny('Not from here')
  if (!event.authentication?.methods.some(({ name }) => name === 'email'))
    return api.access.deny('The link was not mailed')
  const url = new URL('/people', secrets.PEOPLE_URL)
  url.searchParams.set('email', user.email)
  url.searchParams.set('connection', connection.name)
  const answer = await fetch(url)
  if (!answer.ok) return api.access.deny('It is not known whether you work here')
  if ((await answer.json()).left) return api.access.deny('You have left')
}
