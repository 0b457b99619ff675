// Checks before the measurement that both servers return the same to the application. A server that omits a signature, a claim
// or the rotation would win for the wrong reason, so the run stops.
import { createLocalJWKSet, jwtVerify } from 'jose'
import { createBrowser } from './browser.mjs'
import { API, API_SCOPE, CLIENT_ID, MACHINE_ID, people } from './definition.mjs'
import { expectStatus } from './http.mjs'
import { beginDevice, clientCredentials, pollDevice, refresh, signIn, signInAgain } from './oauth.mjs'
import { createHttp } from './pool.mjs'

function must(side, condition, what) {
  if (!condition) throw new Error(`${side.name} does not do the agreed job: ${what}`)
}

async function checkTokens(side, tokens, keys) {
  const options = { issuer: undefined, algorithms: ['RS256'] }
  const access = await jwtVerify(tokens.access_token, keys, { ...options, audience: API })
  must(side, String(access.payload.scope).split(' ').includes(API_SCOPE), `the access token lacks ${API_SCOPE}`)
  must(side, tokens.id_token, 'there is no ID token')
  await jwtVerify(tokens.id_token, keys, { ...options, audience: CLIENT_ID })
  must(side, tokens.refresh_token, 'there is no refresh token')
}

async function checkMachine(side, http, keys) {
  const { access_token: token } = await clientCredentials(side, http)
  const { payload } = await jwtVerify(token, keys, { algorithms: ['RS256'], audience: API })
  must(side, payload.scope === API_SCOPE, `the machine's token lacks ${API_SCOPE}`)
  must(side, (payload.azp ?? payload.client_id) === MACHINE_ID, "the machine's token does not name it")
}

async function checkDevice(side, http) {
  const { device_code, user_code, expires_in } = await beginDevice(side, http)
  must(side, device_code && user_code && expires_in === 900, 'a device response differs from RFC 8628')
  must(side, (await pollDevice(side, http, device_code)).error === 'authorization_pending', 'a device need not wait')
  must(side, (await pollDevice(side, http, 'unknown')).error === 'invalid_grant', 'any device code will do')
}

async function checkUserInfo(side, http, accessToken) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = expectStatus(await http.send({ path: side.paths.userinfo, headers }), 200, 'user-info')
  const claims = JSON.parse(answer.text)
  for (const name of ['sub', 'email', 'email_verified', 'name', 'nickname', 'picture']) {
    must(side, claims[name] !== undefined, `user-info lacks ${name}`)
  }
}

export async function checkSameJob(side) {
  const http = createHttp(side.origin, 1)
  const keySet = expectStatus(await http.send({ path: side.paths.jwks }), 200, 'keys')
  const keys = createLocalJWKSet(JSON.parse(keySet.text))
  const browser = createBrowser(http)
  const first = await signIn(side, http, browser, people[0], API)
  await checkTokens(side, first, keys)
  const rotated = await refresh(side, http, first.refresh_token)
  await checkTokens(side, rotated, keys)
  must(side, rotated.refresh_token !== first.refresh_token, 'the refresh token is not rotated')
  await checkTokens(side, await signInAgain(side, http, browser, API), keys)
  const plain = await signIn(side, http, createBrowser(http), people[1])
  await checkUserInfo(side, http, plain.access_token)
  await checkMachine(side, http, keys)
  await checkDevice(side, http)
  await http.close()
}
