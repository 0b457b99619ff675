// The unmodified npm package `auth0`, in a separate process because Node.js reads trusted authorities at its start only. Reads
// its task as JSON from its argument; writes the results as JSON.
import { AuthenticationClient, UserInfoClient } from 'auth0'

const { domain, clientId, proof, code, redirectUri, codeVerifier } = JSON.parse(process.argv[2])
const client = new AuthenticationClient({ domain, clientId, ...proof })

/** The result of a call, or its error. */
async function outcome(call) {
  try {
    const { data, status } = await call()
    return { status, data }
  } catch ({ name, error, error_description, statusCode, message }) {
    return { name, error, error_description, statusCode, message }
  }
}

const exchange = { code, redirect_uri: redirectUri, ...(codeVerifier ? { code_verifier: codeVerifier } : {}) }
const tokens = await outcome(() =>
  codeVerifier ? client.oauth.authorizationCodeGrantWithPKCE(exchange) : client.oauth.authorizationCodeGrant(exchange),
)
const user = await outcome(() => new UserInfoClient({ domain }).getUserInfo(tokens.data?.access_token))
const refreshed = await outcome(() => client.oauth.refreshTokenGrant({ refresh_token: tokens.data?.refresh_token }))
const revoked = await outcome(() => client.oauth.revokeRefreshToken({ token: refreshed.data?.refresh_token }))
const afterwards = await outcome(() => client.oauth.refreshTokenGrant({ refresh_token: refreshed.data?.refresh_token }))
const replayed = await outcome(() => client.oauth.authorizationCodeGrant({ code, redirect_uri: redirectUri }))
console.log(JSON.stringify({ tokens, user, refreshed, revoked, afterwards, replayed }))
