// The application's side of authorization code with PKCE, the same for both servers.
import { createHash, randomBytes } from 'node:crypto'
import { readForm } from './browser.mjs'
import {
  API,
  API_SCOPE,
  CLIENT_ID,
  DEVICE_GRANT,
  DEVICE_ID,
  GUARDED_ID,
  GUARDED_SECRET,
  KEYED_ID,
  MACHINE_ID,
  MACHINE_SECRET,
  MFA_OTP_GRANT,
  PASSWORD,
  PASSWORDLESS_GRANT,
  REDIRECT_URI,
  SCOPE,
  WEBAUTHN_GRANT,
} from './definition.mjs'
import { expectStatus, formPost, jsonPost } from './http.mjs'

const random = () => randomBytes(32).toString('base64url')

/** A new authorization request: its path and the values that the application must keep. */
export function authorizationRequest(side, api, extra = {}) {
  const verifier = random()
  const state = random()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state,
    nonce: random(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(api && { [side.apiParameter]: api }),
    ...extra,
  })
  return { path: `${side.paths.authorize}?${query}`, verifier, state }
}

/** The code in the redirect to the application. */
export function readCode({ left, page }, state) {
  if (!left) throw new Error(`expected to be sent to the app, got ${page.status} ${page.text.slice(0, 300)}`)
  const code = left.searchParams.get('code')
  if (!code || left.searchParams.get('state') !== state) throw new Error(`no code in ${left}`)
  return code
}

export const exchangeRequest = (side, { code, verifier }) =>
  formPost(side.paths.token, {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
  })

async function exchange(side, http, code, verifier) {
  const request = exchangeRequest(side, { code, verifier })
  return JSON.parse(expectStatus(await http.send(request), 200, 'code exchange').text)
}

/** Authorize, sign in on the page, receive a code. */
export async function obtainCode(side, browser, person, api, extra = {}) {
  const { path, verifier, state } = authorizationRequest(side, api, extra)
  const { page } = await browser.open(path)
  if (!page) throw new Error('expected a login page, was sent to the app')
  const form = readForm(expectStatus(page, 200, 'login page').text)
  const typed = { username: person.email, password: PASSWORD, ...side.submitFields }
  const code = readCode(await browser.submit(form.action, { ...form.fields, ...typed }), state)
  return { code, verifier }
}

/** The same with the exchange. */
export async function signIn(side, http, browser, person, api, extra = {}) {
  const { code, verifier } = await obtainCode(side, browser, person, api, extra)
  return exchange(side, http, code, verifier)
}

/** The same for a signed-in browser, without a page. */
export async function signInAgain(side, http, browser, api) {
  const { path, verifier, state } = authorizationRequest(side, api)
  return exchange(side, http, readCode(await browser.open(path), state), verifier)
}

export const refreshRequest = (side, refreshToken) =>
  formPost(side.paths.token, { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: refreshToken })

export const refresh = async (side, http, refreshToken) =>
  JSON.parse(expectStatus(await http.send(refreshRequest(side, refreshToken)), 200, 'refresh').text)

async function askAsMachine(side, http, fields, what) {
  const proof = { client_id: MACHINE_ID, client_secret: MACHINE_SECRET, [side.apiParameter]: API }
  return JSON.parse(expectStatus(await http.send(formPost(side.paths.token, { ...fields, ...proof })), 200, what).text)
}

/** A token for the Management API. */
export async function managementToken(side, http) {
  const form = { grant_type: 'client_credentials', client_id: MACHINE_ID, client_secret: MACHINE_SECRET }
  const request = formPost(side.paths.token, { ...form, audience: `${side.origin}/api/v2/` })
  return JSON.parse(expectStatus(await http.send(request), 200, 'a management token').text).access_token
}

export const clientCredentials = (side, http) =>
  askAsMachine(side, http, { grant_type: 'client_credentials', scope: API_SCOPE }, 'client credentials')

export const byPassword = (side, http, { email }) =>
  askAsMachine(side, http, { grant_type: 'password', username: email, password: PASSWORD, scope: SCOPE }, 'password')

const asGuarded = (side, fields) =>
  formPost(side.paths.token, { ...fields, client_id: GUARDED_ID, client_secret: GUARDED_SECRET })

/** The password alone is answered with an `mfa_token` for the next step. */
export async function beginGuarded(side, http, email) {
  const typed = { grant_type: 'password', username: email, password: PASSWORD, scope: SCOPE, [side.apiParameter]: API }
  const answer = await http.send(asGuarded(side, typed))
  return JSON.parse(expectStatus(answer, 403, 'a password without a second factor').text).mfa_token
}

export const codeRequest = (side, mfa_token, otp) => asGuarded(side, { grant_type: MFA_OTP_GRANT, mfa_token, otp })

export async function byPasswordAndCode(side, http, { email, otp }) {
  const request = codeRequest(side, await beginGuarded(side, http, email), otp)
  return JSON.parse(expectStatus(await http.send(request), 200, 'second factor').text)
}

/** Every visitor has a separate network: one network may cause fifty messages an hour. */
const fromAnywhere = () => ({ 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` })

export async function byMailedCode(side, http, email) {
  const proof = { client_id: MACHINE_ID, client_secret: MACHINE_SECRET }
  const start = formPost('/passwordless/start', { ...proof, connection: 'email', email, send: 'code' }, fromAnywhere())
  expectStatus(await http.send(start), 200, 'passwordless start')
  const sent = expectStatus(await http.send({ path: `/dev/outbox.json?to=${email}` }), 200, 'outbox')
  const fields = { grant_type: PASSWORDLESS_GRANT, realm: 'email', username: email, otp: JSON.parse(sent.text)[0].code }
  return askAsMachine(side, http, { ...fields, scope: SCOPE }, 'passwordless')
}

async function postAsKeyed(http, path, members, what) {
  const answer = await http.send(jsonPost(path, { ...members, client_id: KEYED_ID }))
  return JSON.parse(expectStatus(answer, 200, what).text)
}

const redeemPasskey = (side, http, auth_session, authn_response) => {
  const members = { grant_type: WEBAUTHN_GRANT, auth_session, authn_response, scope: SCOPE, [side.apiParameter]: API }
  return postAsKeyed(http, side.paths.token, members, 'passkey')
}

export async function signUpWithPasskey(side, http, email, passkey) {
  const started = await postAsKeyed(http, '/passkey/register', { user_profile: { email } }, 'sign-up with a passkey')
  const { auth_session, authn_params_public_key: options } = started
  return redeemPasskey(side, http, auth_session, passkey.create(options.challenge))
}

export async function byPasskey(side, http, passkey) {
  const started = await postAsKeyed(http, '/passkey/challenge', {}, 'passkey challenge')
  const { auth_session, authn_params_public_key: options } = started
  return redeemPasskey(side, http, auth_session, passkey.use(options.challenge))
}

export async function beginDevice(side, http) {
  const fields = { client_id: DEVICE_ID, scope: 'openid profile email offline_access' }
  return JSON.parse(expectStatus(await http.send(formPost(side.paths.device, fields)), 200, 'device').text)
}

/** Statuses differ between the servers, the error code does not: RFC 8628 3.5. */
export async function pollDevice(side, http, device_code) {
  const fields = { grant_type: DEVICE_GRANT, client_id: DEVICE_ID, device_code }
  return JSON.parse((await http.send(formPost(side.paths.token, fields))).text)
}
