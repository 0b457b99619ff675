exports.onExecutePostLogin = async (event, api) => {
  api.idToken.setCustomClaim('https://shop.example/plan', event.secrets.PLAN_KEY)
}
