// The same package, signing users in by codes. Reads the server's address from its argument; writes the results as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthenticationClient, UserInfoClient } from 'auth0'

const { domain, clientId, clientSecret, person, outbox } = JSON.parse(process.argv[2])
const client = new AuthenticationClient({ domain, clientId, clientSecret })

/** The result of a call, or its error. */
async function outcome(call) {
  try {
    const { data, status } = await call()
    return { status, data }
  } catch ({ name, error, error_description, statusCode, message }) {
    return { name, error, error_description, statusCode, message }
  }
}

/** The newest message to an address, as its recipient reads it. */
async function newestTo(to) {
  for (;;) {
    const [message] = await (await fetch(`${outbox}/dev/outbox.json?${new URLSearchParams({ to })}`)).json()
    if (message) return message
    await sleep(100)
  }
}

const { email, phone: phone_number } = person
const scope = 'openid email'

const answers = { sent: await outcome(() => client.passwordless.sendEmail({ email, send: 'code' })) }
const { code } = await newestTo(email)
answers.byMail = await outcome(() => client.passwordless.loginWithEmail({ email, code, scope }))
answers.again = await outcome(() => client.passwordless.loginWithEmail({ email, code, scope }))
answers.user = await outcome(() => new UserInfoClient({ domain }).getUserInfo(answers.byMail.data?.access_token))

await client.passwordless.sendSMS({ phone_number })
const texted = (await newestTo(phone_number)).code
answers.bySms = await outcome(() => client.passwordless.loginWithSMS({ phone_number, code: texted, scope }))

answers.link = await outcome(() => client.passwordless.sendEmail({ email: `link-${email}`, authParams: { scope } }))
answers.link.link = (await newestTo(`link-${email}`)).link
answers.noNumber = await outcome(() => client.passwordless.sendSMS({ phone_number: '0170' }))
answers.unknown = await outcome(() => client.passwordless.sendEmail({ email, roles: 'admin' }))
console.log(JSON.stringify(answers))
