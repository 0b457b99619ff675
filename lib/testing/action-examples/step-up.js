// post-login: payments take a second factor once a session, of the kind that the person has, or an authenticator app that is added.
const PAYMENTS = 'urn:acme:payments'

exports.onExecutePostLogin = async (event, api) => {
  if (!event.transaction?.acr_values.includes(PAYMENTS)) return
  const isProven = event.authentication?.methods.some(({ name }) => name === 'mfa')
  if (isProven) return api.accessToken.setCustomClaim('https://acme.example/payments', true)
  const own = event.user.enrolledFactors?.map(({ method }) => method) ?? []
  if (own.length === 0) api.authentication.enrollWith({ type: 'otp' })
  else api.authentication.challengeWithAny([{ type: 'otp' }, { type: 'phone', options: { preferredMethod: 'sms' } }])
}
