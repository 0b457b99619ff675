// post-login: the place of the login is a claim, and one that is too far from the last login takes a second factor.
const CLAIM = 'https://acme.example/'

exports.onExecutePostLogin = async (event, api) => {
  const { countryName, timeZone } = event.request.geoip
  if (countryName) api.idToken.setCustomClaim(`${CLAIM}country`, countryName)
  if (timeZone) api.idToken.setCustomClaim(`${CLAIM}time_zone`, timeZone)
  const travel = event.authentication?.riskAssessment?.assessments?.ImpossibleTravel
  if (travel?.confidence === 'low') api.multifactor.enable('any', { allowRememberBrowser: false })
}
