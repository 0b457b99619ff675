// post-login: what the tokens say and may, by roles, a list of editors, the connection and the campaign of the login.
const CLAIM = 'https://acme.example/'

exports.onExecutePostLogin = async (event, api) => {
  const { user, request, connection, secrets, authorization } = event
  if (!user.email_verified) return api.access.deny('Confirm your address first')
  const isEditor = secrets.EDITORS.split(',').some((address) => address.trim() === user.email)
  const roles = [...(authorization?.roles ?? []), ...(isEditor ? ['editor'] : [])]
  for (const token of [api.idToken, api.accessToken]) token.setCustomClaim(`${CLAIM}roles`, roles)
  api.accessToken.setCustomClaim(`${CLAIM}email`, user.email)
  api.idToken.setCustomClaim(`${CLAIM}connection`, connection.name)
  if (isEditor) api.accessToken.addScope('write:articles')
  else api.accessToken.removeScope('write:articles')
  const { campaign } = request.query
  if (campaign) api.idToken.setCustomClaim(`${CLAIM}campaign`, campaign)
}
