// The same package for a login with a second factor. Its AuthenticationClient has no methods for this (4.37): it throws
// `mfa_required`, whose body contains the token, and the following requests are HTTP as in the vendor's documentation. The
// authenticator app is `otpauth`. Reads the server's address from its argument; writes the results as JSON.
import { AuthenticationClient, UserInfoClient } from 'auth0'
import { Secret, TOTP } from 'otpauth'

const { domain, clientId, clientSecret, person, scope } = JSON.parse(process.argv[2])
const client = new AuthenticationClient({ domain, clientId, clientSecret })
const secrets = { client_id: clientId, client_secret: clientSecret }
const STEP_MS = 30_000

/** The error of the package for a correct password. */
async function refusal() {
  const { email: username, password } = person
  try {
    await client.oauth.passwordGrant({ username, password, scope, realm: 'People' })
    return {}
  } catch ({ name, error, statusCode, body }) {
    return { name, error, statusCode, ...JSON.parse(body) }
  }
}

async function ask(path, { method = 'POST', token, ...members } = {}) {
  const answer = await fetch(`https://${domain}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(method === 'POST' ? { body: JSON.stringify(members) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, data: text === '' ? null : JSON.parse(text) }
}

const prove = (kind, mfa_token, members) =>
  ask('/oauth/token', {
    ...secrets,
    grant_type: `http://auth0.com/oauth/grant-type/mfa-${kind}`,
    mfa_token,
    ...members,
  })

const answers = { refused: await refusal() }
const first = answers.refused.mfa_token
answers.unenrolled = await ask('/mfa/challenge', { ...secrets, mfa_token: first, challenge_type: 'otp' })
answers.added = await ask('/mfa/associate', { token: first, authenticator_types: ['otp'] })
const totp = new TOTP({ secret: Secret.fromBase32(answers.added.data.secret) })
const startedAt = Date.now()
const codeOf = (steps) => totp.generate({ timestamp: startedAt + steps * STEP_MS })
answers.proven = await prove('otp', first, { otp: codeOf(0) })
answers.user = (await new UserInfoClient({ domain }).getUserInfo(answers.proven.data.access_token)).data
const { refresh_token } = answers.proven.data
answers.refreshed = { status: (await client.oauth.refreshTokenGrant({ refresh_token })).status }

const second = (await refusal()).mfa_token
answers.challenge = await ask('/mfa/challenge', { ...secrets, mfa_token: second, challenge_type: 'otp oob' })
answers.replayed = await prove('otp', second, { otp: codeOf(0) })
answers.later = await prove('otp', second, { otp: codeOf(1) })

const third = (await refusal()).mfa_token
const [recovery_code] = answers.added.data.recovery_codes
answers.recovered = await prove('recovery-code', third, { recovery_code })
answers.list = await ask('/mfa/authenticators', { method: 'GET', token: (await refusal()).mfa_token })
console.log(JSON.stringify(answers))
