// The tenant of lib/http/examples.ts, and the requests of the examples with the values that only a running server can issue.

import { encodeForAddress, encodeForForm } from '../crypto/saml/transport'
import { managementAudience, mfaAudience, myAccountAudience } from '../data/apis/built-in'
import type { Caller, Example, MethodDescription } from '../http/description'
import { API, APP, CALLBACK, PERSON, SERVER, SIGNED_OUT } from '../http/examples'
import { WEBAUTHN } from '../protocols/oauth/grants/webauthn'
import { softCredential } from './authenticator'
import { addJudge } from './bind-action'
import type { Browser, TestResponse } from './browser'
import { BASE_URL } from './database'
import { CHALLENGE, locationOf, VERIFIER } from './journey'
import { ALL_FACTORS, bearer, codeOf, demand } from './mfa'
import { addPasskey, HERE, offerPasskeys } from './passkeys'
import { addPasswordless, messagesTo, OTP_GRANT } from './passwordless'
import type { TestServer } from './server'
import { press, upstreamTestServer } from './upstream'

export type ExampleTenant = TestServer & {
  /** Makes what the example needs, and returns the function that sends it. */
  prepare(
    path: string,
    method: string,
    described: Pick<MethodDescription, 'caller' | 'scopes' | 'encoding'>,
    example: Example,
  ): Promise<() => Promise<TestResponse>>
}

const GRANTS = 'http://auth0.com/oauth/grant-type'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const PERSONAL = /^(?:(?:read|update|create|delete):current_user)/

const LOGOUT = `<p:LogoutRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="2027-01-15T08:00:00Z"><a:Issuer>urn:sp</a:Issuer><a:NameID>auth0|jane</a:NameID></p:LogoutRequest>`

export async function exampleTenant(): Promise<ExampleTenant> {
  const server = await upstreamTestServer()
  await addPasswordless(server)
  await offerPasskeys(server)
  await server.addProvider('corp', 'oidc', { show_as_button: true, options: { issuer: 'https://idp.test' } })
  const signingCert = (await server.runtime()).keyring.current.certificate
  await server.addConnection(
    'partner',
    { options: { signInEndpoint: 'https://idp.test/saml', signingCert } },
    'con_partner',
    'samlp',
  )
  const grant_types = ['authorization_code', 'implicit', 'refresh_token', DEVICE_GRANT, OTP_GRANT, WEBAUTHN]
  await server.addClient({
    clientId: APP.client_id,
    settings: {
      app_type: 'spa',
      callbacks: [CALLBACK],
      web_origins: [new URL(CALLBACK).origin],
      cross_origin_authentication: true,
      allowed_logout_urls: [SIGNED_OUT],
      grant_types,
      token_exchange: { allow_any_profile_of_type: ['custom_authentication'] },
      addons: { samlp: {}, wsfed: {} },
    },
  })
  const factors = ['mfa-otp', 'mfa-oob', 'mfa-recovery-code', 'password-realm', 'passwordless/otp']
  await server.addClient({
    clientId: SERVER.client_id,
    secret: SERVER.client_secret,
    settings: {
      app_type: 'regular_web',
      callbacks: [CALLBACK],
      grant_types: [
        'authorization_code',
        'client_credentials',
        'password',
        ...factors.map((each) => `${GRANTS}/${each}`),
      ],
    },
  })
  await server.addApi(API, { scopes: [{ value: 'read:orders' }], allow_offline_access: true })
  await server.addClientGrant(SERVER.client_id, API, ['read:orders'])
  await server.addUser({ email: PERSON.username, password: PERSON.password, id: 'jane', data: { phoneVerified: true } })
  await addJudge(server, 'urn:acme:legacy-token', "api.authentication.setUserById('auth0|jane')")
  return {
    ...server,
    async prepare(path, method, { caller, scopes, encoding }, example) {
      const { browser, value: values } = makingFor(server)
      const fill = async (value: unknown): Promise<unknown> => {
        const name = typeof value === 'string' ? /^<(.+)>$/.exec(value)?.[1] : undefined
        return name === undefined ? value : values(name)
      }
      const filled = async (members: Readonly<Record<string, unknown>> = {}): Promise<Record<string, string>> => {
        const all: Record<string, unknown> = {}
        for (const [name, value] of Object.entries(members)) all[name] = await fill(value)
        return all as Record<string, string>
      }
      const needsFactors = path.startsWith('/mfa/') || JSON.stringify(example).includes('<mfa_token>')
      const tenant = { flags: { enable_dynamic_client_registration: true } }
      await demand(server, needsFactors ? ['all-applications'] : [], ALL_FACTORS, tenant)
      const parts = await filled(example.path)
      const [query, body] = [await filled(example.query), await filled(example.body)]
      const token = await tokenFor(path, caller ?? [], scopes ?? [], values)
      const headers = { ...example.headers, ...(token === null ? {} : bearer(token)) }
      const content = example.body === undefined ? {} : { [encoding === 'form' ? 'form' : 'json']: body }
      const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))
      return () => browser.send(method, address, { query, headers, ...content })
    },
  }
}

type Values = (name: string) => Promise<string>

async function tokenFor(
  path: string,
  callers: readonly Caller[],
  scopes: readonly string[],
  values: Values,
): Promise<string | null> {
  const [caller] = callers
  if (caller === undefined || caller === 'client') return null
  if (caller === 'registration_token') return values('registration token')
  if (caller === 'device_token') return values('device token')
  if (path.startsWith('/me/')) return values('token of my account')
  if (path === '/mfa/associate') return values('mfa_token without a factor')
  if (caller === 'mfa_token' || scopes.includes('remove:authenticators')) return values('token for the factors')
  return values(scopes.some((each) => PERSONAL.test(each)) ? 'token for the own account' : 'access token')
}

type Making = {
  server: Awaited<ReturnType<typeof upstreamTestServer>>
  browser: Browser
  /** The value of a name; made once for an example. */
  value: Values
  once<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** The values of one example. */
function makingFor(server: Making['server']): Making {
  const made = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = (made.get(name) ?? make()) as Promise<T>
    made.set(name, known)
    return known
  }
  const making: Making = {
    server,
    browser: server.browser(),
    once,
    value(name) {
      const make = MAKERS[name]
      if (!make) throw new Error(`nothing makes the value <${name}>`)
      return once(name, () => make(making))
    },
  }
  return making
}

type Fields = Record<string, string>

const post = async (browser: Browser, path: string, json: object, by?: string) =>
  (await browser.post(path, { json, ...(by === undefined ? {} : { headers: bearer(by) }) })).json()

/** The state of a new login's first page. */
async function beginLogin({ browser }: Making, extra: Fields = {}): Promise<string> {
  const query = {
    ...APP,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...extra,
  }
  return locationOf(await browser.get('/authorize', { query })).searchParams.get('state') ?? ''
}

async function codeFor(making: Making, username: string, extra: Fields = {}): Promise<string> {
  const { browser } = making
  const form = { state: await beginLogin(making, extra), action: 'login', username, password: PERSON.password }
  return locationOf(await browser.post('/u/submit', { form })).searchParams.get('code') ?? ''
}

async function tokensFor(making: Making, username: string, extra: Fields = {}): Promise<Record<string, unknown>> {
  const code = await codeFor(making, username, extra)
  const json = { ...APP, grant_type: 'authorization_code', redirect_uri: CALLBACK, code, code_verifier: VERIFIER }
  return post(making.browser, '/oauth/token', json)
}

const newPerson = async ({ server }: Making, data: object = {}): Promise<string> => {
  const email = `${server.random.hex(8)}@example.com`
  await server.addUser({ email, password: PERSON.password, data })
  return email
}

/** Has proven to own the account, and has no factor by it. */
const PROVEN = { phoneVerified: true }

const personal = [
  'openid',
  ...['read:current_user', 'update:current_user_metadata', 'create:current_user_metadata'],
  ...['delete:current_user_metadata', 'update:current_user_identities'],
  ...['create:current_user_device_credentials', 'delete:current_user_device_credentials'],
].join(' ')

const byPassword = (username: string, extra: Fields = {}): Fields => ({
  ...SERVER,
  grant_type: 'password',
  username,
  password: PERSON.password,
  ...extra,
})

/** The mfa_token of a person with an authenticator app, a recovery code and an address that receives codes. */
async function withFactors(making: Making): Promise<Record<string, string>> {
  const { server, browser } = making
  const email = await newPerson(making)
  const first = String((await post(browser, '/oauth/token', byPassword(email))).mfa_token)
  const added = await post(browser, '/mfa/associate', { authenticator_types: ['otp'] }, first)
  const proven = { ...SERVER, grant_type: `${GRANTS}/mfa-otp`, mfa_token: first, otp: codeOf(server, added.secret) }
  await post(browser, '/oauth/token', proven)
  await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE email = $1', [email])
  server.clock.advance(60)
  const mfa_token = String((await post(browser, '/oauth/token', byPassword(email))).mfa_token)
  const [recovery_code = ''] = (added.recovery_codes ?? []) as string[]
  return { email, mfa_token, otp: codeOf(server, added.secret), recovery_code }
}

async function challenged(making: Making): Promise<Record<string, string>> {
  const { email = '', mfa_token } = await making.once('factors', () => withFactors(making))
  const answer = await post(making.browser, '/mfa/challenge', { ...SERVER, mfa_token, challenge_type: 'oob' })
  const [message] = await messagesTo(making.server, email)
  return { oob_code: String(answer.oob_code), binding_code: message?.code ?? '' }
}

/** A phone that approves logins, and a login that waits for it. */
async function phone(making: Making): Promise<{ device: string; prompt: string }> {
  const { browser } = making
  const email = await newPerson(making)
  const first = String((await post(browser, '/oauth/token', byPassword(email))).mfa_token)
  const body = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
  const added = await post(browser, '/mfa/associate', body, first)
  const enrollment_tx_id = new URL(String(added.barcode_uri)).searchParams.get('enrollment_tx_id')
  const device = String((await post(browser, '/mfa/devices', { enrollment_tx_id })).device_token)
  const grant = { ...SERVER, grant_type: `${GRANTS}/mfa-oob` }
  await post(browser, '/oauth/token', { ...grant, mfa_token: first, oob_code: added.oob_code })
  const { mfa_token } = await post(browser, '/oauth/token', byPassword(email))
  await post(browser, '/mfa/challenge', { ...SERVER, mfa_token })
  const listed = (await browser.get('/mfa/prompts', { headers: bearer(device) })).json()
  const [waiting] = listed.prompts as { id: string }[]
  return { device, prompt: waiting?.id ?? '' }
}

const registration = ({ browser }: Making) =>
  post(browser, '/oidc/register', { redirect_uris: ['https://partner.example/callback'] })

async function own(making: Making): Promise<{ user: string; token: string }> {
  const audience = managementAudience(BASE_URL)
  const tokens = await tokensFor(making, await newPerson(making, PROVEN), { audience, scope: personal })
  const payload = Buffer.from(String(tokens.access_token).split('.')[1] ?? '', 'base64url').toString()
  return { user: String((JSON.parse(payload) as { sub: string }).sub), token: String(tokens.access_token) }
}

const MORE = ['read:me:factors', 'read:me:identities', 'update:me:identities']

/** An authenticator app that the person is adding. */
const enrolling = async ({ browser, value }: Making) =>
  post(browser, '/me/v1/authentication-methods', { type: 'totp' }, await value('token of my account'))

/** A challenge for a new passkey of the person, and its answer. */
const passkeySession = ({ server, browser, once }: Making) =>
  once('passkey session', async () => {
    const credential = softCredential()
    await addPasskey(server, 'auth0|jane', credential)
    const started = await post(browser, '/passkey/challenge', { ...APP, realm: 'Users' })
    const { challenge } = started.authn_params_public_key as { challenge: string }
    return { session: String(started.auth_session), response: JSON.stringify(credential.use({ ...HERE, challenge })) }
  })

const MAKERS: Record<string, (making: Making) => Promise<string>> = {
  auth_session: async (making) => (await passkeySession(making)).session,
  authn_response: async (making) => (await passkeySession(making)).response,
  'code verifier': async () => VERIFIER,
  code: (making) => codeFor(making, PERSON.username),
  'refresh token': async (making) => String((await tokensFor(making, PERSON.username)).refresh_token),
  'access token': async (making) => String((await tokensFor(making, PERSON.username)).access_token),
  'access token of the server': async ({ browser }) =>
    String(
      (await post(browser, '/oauth/token', { ...SERVER, grant_type: 'client_credentials', audience: API }))
        .access_token,
    ),
  'one-time code': async ({ server, browser }) => {
    const json = { ...APP, connection: 'email', email: PERSON.username, send: 'code' }
    server.clock.advance(1)
    await post(browser, '/passwordless/start', json)
    const [message] = await messagesTo(server, PERSON.username)
    return message?.code ?? ''
  },
  'device code': async (making) => {
    const { browser } = making
    const { device_code, user_code } = await post(browser, '/oauth/device/code', { ...APP, scope: 'openid' })
    const typed = await browser.post('/activate', { form: { user_code: String(user_code), action: 'continue' } })
    const confirmation = /name="confirmation" value="([^"]+)"/.exec(typed.text)?.[1] ?? ''
    const form = { user_code: String(user_code), confirmation, action: 'confirm' }
    const state = locationOf(await browser.post('/activate', { form })).searchParams.get('state') ?? ''
    const login = { state, action: 'login', username: PERSON.username, password: PERSON.password }
    await browser.post('/u/submit', { form: login })
    return String(device_code)
  },
  mfa_token: async (making) => (await making.once('factors', () => withFactors(making))).mfa_token ?? '',
  otp: async (making) => (await making.once('factors', () => withFactors(making))).otp ?? '',
  recovery_code: async (making) => (await making.once('factors', () => withFactors(making))).recovery_code ?? '',
  oob_code: async (making) => (await making.once('challenge', () => challenged(making))).oob_code ?? '',
  binding_code: async (making) => (await making.once('challenge', () => challenged(making))).binding_code ?? '',
  'mfa_token without a factor': async (making) =>
    String((await post(making.browser, '/oauth/token', byPassword(await newPerson(making)))).mfa_token),
  'token for the factors': async (making) => {
    await demand(making.server, [])
    const scope = 'enroll read:authenticators remove:authenticators'
    const ask = byPassword(await newPerson(making, PROVEN), { audience: mfaAudience(BASE_URL), scope })
    const token = String((await post(making.browser, '/oauth/token', ask)).access_token)
    await post(making.browser, '/mfa/associate', { authenticator_types: ['otp'] }, token)
    return token
  },
  authenticator: async ({ browser, value }) => {
    const headers = bearer(await value('token for the factors'))
    const [first] = (await browser.get('/mfa/authenticators', { headers })).json() as unknown as { id: string }[]
    return first?.id ?? ''
  },
  'token of my account': async (making) => {
    const verbs = ['create', 'read', 'update', 'delete'].map((verb) => `${verb}:me:authentication_methods`)
    const ask = { audience: myAccountAudience(BASE_URL), scope: ['openid', ...verbs, ...MORE].join(' ') }
    return String((await tokensFor(making, await newPerson(making, PROVEN), ask)).access_token)
  },
  'linked identity': async ({ browser, value }) => {
    const link_with = await value('ID token of the other account')
    const linked = await post(browser, '/me/v1/identities', { link_with }, await value('token of my account'))
    return (linked.identities as { id: string }[])[1]?.id ?? ''
  },
  'authentication method': (making) => making.value('enrolling method'),
  'enrolling method': async (making) => String((await making.once('enrolling', () => enrolling(making))).id),
  'enrolling session': async (making) => String((await making.once('enrolling', () => enrolling(making))).auth_session),
  'enrolling code': async (making) =>
    codeOf(making.server, (await making.once('enrolling', () => enrolling(making))).manual_input_code),
  'enrollment ticket': async ({ browser, value }) => {
    const body = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
    const added = await post(browser, '/mfa/associate', body, await value('mfa_token without a factor'))
    return new URL(String(added.barcode_uri)).searchParams.get('enrollment_tx_id') ?? ''
  },
  'device token': async (making) => (await making.once('phone', () => phone(making))).device,
  prompt: async (making) => (await making.once('phone', () => phone(making))).prompt,
  'registered client': async (making) =>
    String((await making.once('registration', () => registration(making))).client_id),
  'registration token': async (making) =>
    String((await making.once('registration', () => registration(making))).registration_access_token),
  user: async (making) => (await making.once('own', () => own(making))).user,
  'token for the own account': async (making) => (await making.once('own', () => own(making))).token,
  'ID token of the other account': async (making) =>
    String(
      (await tokensFor({ ...making, browser: making.server.browser() }, await newPerson(making, PROVEN))).id_token,
    ),
  'linked account': async (making) => {
    const { user, token } = await making.once('own', () => own(making))
    const link_with = await making.value('ID token of the other account')
    const linked = await post(
      making.browser,
      `/api/v2/users/${encodeURIComponent(user)}/identities`,
      { link_with },
      token,
    )
    return (linked as unknown as { user_id: string }[])[1]?.user_id ?? ''
  },
  'device credential': async (making) => {
    const json = { device_name: 'Phone', device_id: 'phone-1', type: 'public_key', value: 'TUlJQklqQU5C' }
    return String(
      (
        await post(
          making.browser,
          '/api/v2/device-credentials',
          json,
          (
            await making.once('own', () => own(making))
          ).token,
        )
      ).id,
    )
  },
  LogoutRequest: async () => encodeForForm(LOGOUT),
  'LogoutRequest, deflated': async () => encodeForAddress(LOGOUT),
  'state of the provider': async (making) => {
    const address = await press(making.browser, await beginLogin(making), 'corp')
    return making.server.double.answer(address.href, { sub: 'jane' }).state ?? ''
  },
}
