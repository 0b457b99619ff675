// The same package in a backend without a browser. Reads the server's address from its argument; writes the results as JSON.
import { AuthenticationClient, UserInfoClient } from 'auth0'

const { domain, clientId, clientSecret, person, audience, redirectUri } = JSON.parse(process.argv[2])
const client = new AuthenticationClient({ domain, clientId, clientSecret })
const stranger = new AuthenticationClient({ domain, clientId, clientSecret: 'another secret altogether' })

/** The result of a call, or its error. */
async function outcome(call) {
  try {
    const { data, status } = await call()
    return { status, data }
  } catch ({ name, error, error_description, statusCode, message }) {
    return { name, error, error_description, statusCode, message }
  }
}

const connection = 'People'
const { email, password } = person
const scope = 'openid profile email offline_access'
const byPassword = (over) =>
  outcome(() => client.oauth.passwordGrant({ username: email, password, scope, realm: connection, ...over }))

const answers = {
  machine: await outcome(() => client.oauth.clientCredentialsGrant({ audience })),
  elsewhere: await outcome(() => client.oauth.clientCredentialsGrant({ audience: 'https://nowhere.test/' })),
  strangers: await outcome(() => stranger.oauth.clientCredentialsGrant({ audience })),
  signUp: await outcome(() =>
    client.database.signUp({ email, password, connection, given_name: 'Neo', user_metadata: { boat: 'dinghy' } }),
  ),
  again: await outcome(() => client.database.signUp({ email, password, connection })),
  weak: await outcome(() => client.database.signUp({ email: 'weak@e2e.test', password: 'weak', connection })),
  changePassword: await outcome(() => client.database.changePassword({ email, connection })),
  wrong: await byPassword({ password: 'wrong' }),
  unknownUser: await byPassword({ username: 'nobody@e2e.test' }),
  tokens: await byPassword(),
  pushed: await outcome(() =>
    client.oauth.pushedAuthorization({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 'pushed',
      nonce: 'n',
    }),
  ),
}
const { access_token, refresh_token } = answers.tokens.data ?? {}
answers.user = await outcome(() => new UserInfoClient({ domain }).getUserInfo(access_token))
answers.refreshed = await outcome(() => client.oauth.refreshTokenGrant({ refresh_token }))
answers.revoked = await outcome(() => client.oauth.revokeRefreshToken({ token: answers.refreshed.data?.refresh_token }))
answers.afterwards = await outcome(() =>
  client.oauth.refreshTokenGrant({ refresh_token: answers.refreshed.data?.refresh_token }),
)
console.log(JSON.stringify(answers))
