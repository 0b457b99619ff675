// post-login: a person who has not accepted the current terms is sent to a page for them, and comes back with its signed answer.
const METHOD = 'https://terms.example/accepted'

exports.onExecutePostLogin = async (event, api) => {
  const { TERMS_VERSION, TERMS_SECRET } = event.secrets
  if (event.user.user_metadata.terms?.version === TERMS_VERSION) return
  const session_token = api.redirect.encodeToken({
    secret: TERMS_SECRET,
    payload: { version: TERMS_VERSION, application: event.client.name },
    expiresInSeconds: 300,
  })
  api.redirect.sendUserTo('https://terms.example/show', { query: { session_token } })
}

exports.onContinuePostLogin = async (event, api) => {
  const answer = api.redirect.validateToken({ secret: event.secrets.TERMS_SECRET, tokenParameterName: 'answer' })
  if (answer.accepted !== event.secrets.TERMS_VERSION) return api.access.deny('The terms were not accepted')
  api.authentication.recordMethod(METHOD)
  api.user.setUserMetadata('terms', { version: answer.accepted, at: new Date().toISOString() })
  api.idToken.setCustomClaim('https://acme.example/terms', answer.accepted)
}
