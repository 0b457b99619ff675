// post-login: what a service provider of SAML receives: attributes, and the audience, recipient and lifetime that its registration names.
exports.onExecutePostLogin = async (event, api) => {
  if (event.transaction?.protocol !== 'samlp') return
  const { saml_audience, saml_recipient } = event.client.metadata
  const { user } = event
  api.samlResponse.setAttribute('mail', user.email)
  api.samlResponse.setAttribute('department', user.app_metadata.department ?? 'none')
  api.samlResponse.setAttribute('https://acme.example/teams', user.user_metadata.teams ?? [])
  if (saml_audience) api.samlResponse.setAudience(saml_audience)
  if (saml_recipient) {
    api.samlResponse.setRecipient(saml_recipient)
    api.samlResponse.setDestination(saml_recipient)
  }
  api.samlResponse.setLifetimeInSeconds(120)
}
