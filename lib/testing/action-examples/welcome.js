// post-user-registration: a new account gets its number from a service, which the Management API stores.
const { ManagementClient } = require('auth0')

exports.onExecutePostUserRegistration = async (event) => {
  const { TENANT, MANAGER_ID, MANAGER_SECRET, CUSTOMERS_URL } = event.secrets
  const answer = await fetch(`${CUSTOMERS_URL}/customers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: event.user.email }),
    signal: AbortSignal.timeout(15_000),
  })
  const { number } = await answer.json()
  const management = new ManagementClient({ domain: TENANT, clientId: MANAGER_ID, clientSecret: MANAGER_SECRET })
  await management.users.update({ id: event.user.user_id }, { app_metadata: { customer: number } })
}
