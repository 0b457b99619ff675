// post-login: an application asks to link a second account, which the person proves by a login of its own: `link=account` links it to the
// user who logs in, `link=into` links the user who logs in to it.
const { randomBytes } = require('node:crypto')
const { ManagementClient } = require('auth0')
const { hkdf } = require('@panva/hkdf')
const { createRemoteJWKSet, jwtVerify } = require('jose')
const client = require('openid-client')

const configurationOf = ({ TENANT, LINK_CLIENT_ID, LINK_CLIENT_SECRET }) =>
  client.discovery(new URL(`https://${TENANT}/`), LINK_CLIENT_ID, LINK_CLIENT_SECRET)

const callbackOf = ({ TENANT }) => `https://${TENANT}/continue`

const LINKS = ['account', 'into']

/** Two secrets of this login, which are not stored. */
async function secretsOf({ LINK_SECRET }, salt) {
  const derive = async (info) => Buffer.from(await hkdf('sha256', LINK_SECRET, salt, info, 32)).toString('base64url')
  return { verifier: await derive('verifier'), nonce: await derive('nonce') }
}

exports.onExecutePostLogin = async (event, api) => {
  const { secrets, user, request, transaction } = event
  if (event.client.client_id === secrets.LINK_CLIENT_ID || !LINKS.includes(request.query.link)) return
  // It runs again for the user as whom the login goes on.
  if (transaction.metadata?.link) return
  if (!user.email_verified) return api.access.deny('Confirm your address before you link an account')
  const salt = randomBytes(16).toString('base64url')
  api.transaction.setMetadata('link', salt)
  api.transaction.setMetadata('into', request.query.link === 'into')
  const { verifier, nonce } = await secretsOf(secrets, salt)
  const address = client.buildAuthorizationUrl(await configurationOf(secrets), {
    ...{ redirect_uri: callbackOf(secrets), scope: 'openid email', prompt: 'login', nonce },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
  })
  api.redirect.sendUserTo(address.href)
}

exports.onContinuePostLogin = async (event, api) => {
  const { secrets, user, request, transaction } = event
  const { verifier, nonce } = await secretsOf(secrets, transaction.metadata.link)
  const current = new URL(callbackOf(secrets))
  current.search = new URLSearchParams(request.query)
  try {
    const tokens = await client.authorizationCodeGrant(await configurationOf(secrets), current, {
      ...{ pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: request.query.state },
    })
    const keys = createRemoteJWKSet(new URL(`https://${secrets.TENANT}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(tokens.id_token, keys, { audience: secrets.LINK_CLIENT_ID })
    const { sub, email, email_verified } = payload
    if (sub === user.user_id) return api.access.deny('This is the same account')
    if (!email_verified) return api.access.deny(`Confirm ${email} first`)
    const [primary, secondary] = transaction.metadata.into ? [sub, user.user_id] : [user.user_id, sub]
    const [provider, ...rest] = secondary.split('|')
    const { TENANT, MANAGER_ID, MANAGER_SECRET } = secrets
    const management = new ManagementClient({ domain: TENANT, clientId: MANAGER_ID, clientSecret: MANAGER_SECRET })
    await management.users.link({ id: primary }, { provider, user_id: rest.join('|') })
    if (primary !== user.user_id) api.authentication.setPrimaryUser(primary)
    api.idToken.setCustomClaim('https://acme.example/linked', primary === sub ? user.email : email)
  } catch (error) {
    console.error(error.message)
    api.access.deny('The account was not linked')
  }
}
