// Tokens that may change how a person signs in (threat-model.md BF22): every changing scope of the built-in APIs, and every way to a token.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { managementAudience, mfaAudience, myAccountAudience, withBuiltIn } from '../../../data/apis/built-in'
import type { Description } from '../../../http/description'
import { WEBAUTHN } from '../../../protocols/oauth/grants/webauthn'
import { softCredential } from '../../../testing/authenticator'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { makeClientKey, signAs } from '../../../testing/client-key'
import { BASE_URL } from '../../../testing/database'
import {
  authorizeQuery,
  CHALLENGE,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  submitPassword,
  webCredentials,
} from '../../../testing/journey'
import { addPasskey, HERE, offerPasskeys } from '../../../testing/passkeys'
import {
  addPasswordless,
  codeTo,
  messagesTo,
  OTP_GRANT,
  redeemCode,
  sendTo,
  start,
} from '../../../testing/passwordless'
import { type Browser, PASSWORD, type TestResponse } from '../../../testing/server'
import { comeBack, press, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'
import { ENDPOINTS } from '../index'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const [MANAGEMENT, MFA, ME] = [managementAudience(BASE_URL), mfaAudience(BASE_URL), myAccountAudience(BASE_URL)]
const ADD = { audience: ME, scope: 'openid create:me:authentication_methods' }
const KEY = makeClientKey()

const builtIn = withBuiltIn({ find: async () => null }, BASE_URL)
const PREFERENCES = ['create:current_user_metadata', 'update:current_user_metadata']
/** Every scope of the built-in APIs, with its audience and whether it may change how users sign in. */
const SCOPES = (
  await Promise.all(
    [MANAGEMENT, MFA, ME].map(async (audience) => {
      const api = await builtIn.find(audience)
      return [...(api?.scopes.keys() ?? [])].map((scope) => ({
        audience,
        scope,
        changes: scope === 'read:client_keys' || !(scope.startsWith('read:') || PREFERENCES.includes(scope)),
        personal: api?.personal?.scopes.has(scope) === true,
      }))
    }),
  )
).flat()
/** All that are about the person, and of each kind of the others some. */
const TRIED = [
  ...SCOPES.filter(({ personal }) => personal),
  ...SCOPES.filter(({ scope }) => /:(users|roles|connections|client_keys|administrators)$/.test(scope)),
]

let server: UpstreamTestServer
let email: string
let userId: string
let browser: Browser

beforeAll(async () => {
  server = await upstreamTestServer()
  const grant_types = ['authorization_code', 'implicit', 'refresh_token', 'password', OTP_GRANT, WEBAUTHN, DEVICE_GRANT]
  const settings = { ...SPA.settings, grant_types }
  await server.addClient({ ...SPA, settings })
  await server.addClient({ clientId: 'third', settings: { ...settings, is_first_party: false } })
  await server.addClient({
    clientId: 'web',
    secret: 'the-secret-of-the-web-application',
    settings: { callbacks: ['https://web.test/cb'], signed_request_object: { credentials: [{ pem: KEY.pem }] } },
  })
  await server.addProvider('corp', 'oidc', { show_as_button: true, options: { issuer: 'https://idp.test' } })
  await server.addRole('everything', {
    [MANAGEMENT]: SCOPES.filter(({ personal }) => !personal).map(({ scope }) => scope),
  })
  await addPasswordless(server)
  await offerPasskeys(server)
  await server.addApi('https://api.test', { scopes: [{ value: 'enroll' }], allow_offline_access: true })
})
afterAll(() => server.close())

beforeEach(async () => {
  server.clock.advance(60)
  email = `kim-${server.random.hex(6)}@mail.test`
  userId = await server.addUser({ email, data: { emailVerified: true } })
  await server.giveRole(userId, 'everything')
  browser = server.browser()
  await signIn(browser, email, { scope: 'openid' })
  server.clock.advance(1)
})

type Fields = Record<string, string | undefined>

/** The response parameters to the application, or the path of the page that is shown instead. */
function outcomeOf(answer: TestResponse): Record<string, string> {
  const { text } = answer
  const form = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
  const message = /"response":(\{[^}]*\})/.exec(text)?.[1]
  if (answer.header('location') === undefined) return message ? JSON.parse(message) : Object.fromEntries(form)
  const to = locationOf(answer)
  if (to.origin === BASE_URL) return { page: to.pathname }
  return Object.fromEntries([...to.searchParams, ...new URLSearchParams(to.hash.slice(1))])
}

const gives = (outcome: Record<string, string>): boolean => 'code' in outcome || 'access_token' in outcome

const ask = (extra: Fields): Promise<TestResponse> => browser.get('/authorize', { query: authorizeQuery(extra) })
const WEB_REQUEST = {
  response_type: 'code',
  redirect_uri: 'https://web.test/cb',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}

/** The ways from a session to an authorization response. */
const WAYS: Record<string, (extra: Fields) => Promise<TestResponse>> = {
  'a code': ask,
  'a code in a form': (extra) => ask({ response_mode: 'form_post', ...extra }),
  'a code in a message': (extra) => ask({ response_mode: 'web_message', ...extra }),
  'a token in the fragment': (extra) => ask({ response_type: 'token', ...extra }),
  'a code and a token': (extra) => ask({ response_type: 'code token', ...extra }),
  async 'a pushed request'(extra) {
    const form = { ...WEB_REQUEST, ...webCredentials(), ...extra }
    const { request_uri } = (await server.browser().post('/oauth/par', { form })).json()
    return browser.get('/authorize', { query: { client_id: 'web', request_uri: String(request_uri) } })
  },
  async 'a signed request'(extra) {
    const claims = { iss: 'web', aud: 'https://id.test/', client_id: 'web', ...WEB_REQUEST, ...extra }
    return browser.get('/authorize', { query: { client_id: 'web', request: await signAs(KEY, claims) } })
  },
}

it.each(Object.entries(WAYS))(
  'by a session, %s comes silently only if its scope changes nothing',
  async (_way, authorize) => {
    const results = []
    for (const { audience, scope } of TRIED) {
      const silent = outcomeOf(await authorize({ audience, scope, prompt: 'none' }))
      const clicked = outcomeOf(await authorize({ audience, scope }))
      results.push([audience, scope, resultOf(silent), resultOf(clicked)])
    }
    const expected = ({ changes }: (typeof TRIED)[number]) =>
      changes ? ['login_required: Login required', '/u/consent'] : ['given', 'given']
    expect(results).toEqual(TRIED.map((each) => [each.audience, each.scope, ...expected(each)]))
  },
)

const resultOf = ({ page, error, error_description, ...given }: Record<string, string>): string | undefined =>
  gives(given) ? 'given' : error ? `${error}: ${error_description}` : page

it('a changing scope beside others is refused silently as a whole', async () => {
  const mixed = { ...ADD, scope: 'openid read:me:factors create:me:authentication_methods', prompt: 'none' }
  expect(outcomeOf(await ask(mixed))).toMatchObject({ error: 'login_required' })
})

it('the API of a tenant’s default audience, or of a resource, is judged alike', async () => {
  await server.setTenant({ tenant: { default_audience: ME } })
  expect(outcomeOf(await ask({ scope: ADD.scope, prompt: 'none' }))).toMatchObject({ error: 'login_required' })
  expect(gives(outcomeOf(await ask({ scope: 'openid', prompt: 'none' })))).toBe(true)
  await server.setTenant({ tenant: { resource_parameter_profile: 'compatibility' } })
  expect(outcomeOf(await ask({ resource: ME, scope: ADD.scope, prompt: 'none' }))).toMatchObject({
    error: 'login_required',
  })
  await server.setTenant({})
})

it('a request without a scope gets no token of power, and comes silently', async () => {
  const { code = '' } = outcomeOf(await ask({ audience: ME, scope: undefined, prompt: 'none' }))
  expect((await redeem(browser, code)).json().scope).toBeUndefined()
})

it('scopes that the client does not get are not judged', async () => {
  expect(outcomeOf(await ask({ ...ADD, client_id: 'third', prompt: 'none' }))).toMatchObject({
    error: 'consent_required',
  })
  const own = { audience: 'https://api.test', scope: 'openid enroll', prompt: 'none' }
  expect(gives(outcomeOf(await ask(own)))).toBe(true)
})

const stateOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('state') ?? ''
const act = (answer: TestResponse, action: string): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state: stateOf(answer), action } })
const scopesIn = async (answer: TestResponse): Promise<unknown> =>
  (await redeem(browser, outcomeOf(answer).code ?? '')).json().scope

describe('the page', () => {
  it('names the application, the account and what the application may change', async () => {
    const { text } = await browser.get(locationOf(await ask(ADD)).href)
    for (const shown of ['App spa', `can change how you sign in as ${email}`, 'Add ways to sign in'])
      expect(text).toContain(shown)
  })

  it('gives the token after “Allow”, for this login alone', async () => {
    const first = await ask(ADD)
    expect(await scopesIn(await act(first, 'accept'))).toBe(ADD.scope)
    expect(outcomeOf(await ask({ ...ADD, prompt: 'none' }))).toMatchObject({ error: 'login_required' })
    expect(outcomeOf(await ask(ADD))).toEqual({ page: '/u/consent' })
  })

  it('gives nothing after “Don’t allow”', async () => {
    expect(outcomeOf(await act(await ask(ADD), 'deny'))).toMatchObject({ error: 'access_denied' })
  })

  it('is no substitute for a login where the session is older than the API accepts', async () => {
    server.clock.advance(900)
    const requested = await ask(ADD)
    expect(outcomeOf(requested)).toEqual({ page: '/u/login' })
    expect((await browser.get(locationOf(requested).href)).text).toContain('let App spa change how you sign in')
    const enrolling = { audience: MFA, scope: 'enroll' }
    expect(outcomeOf(await ask(enrolling))).toEqual({ page: '/u/consent' })
    server.clock.advance(2700)
    expect(outcomeOf(await ask(enrolling))).toEqual({ page: '/u/login' })
    expect(gives(outcomeOf(await ask({ audience: ME, scope: 'read:me:factors', prompt: 'none' })))).toBe(true)
  })

  it('comes after a choice of the account, which names nothing that changes', async () => {
    const requested = await ask({ ...ADD, prompt: 'select_account' })
    const chosen = await browser.post('/u/submit', {
      form: { state: stateOf(requested), action: 'continue', account: userId },
    })
    expect(outcomeOf(chosen)).toEqual({ page: '/u/consent' })
  })

  it('is shown to another person who signs in by a provider instead of the one who agreed', async () => {
    const requested = await ask({ ...ADD, prompt: 'login' })
    const person = { sub: server.random.hex(6), email: `other-${email}`, email_verified: true, name: 'Lee' }
    const back = await comeBack(browser, server.double, await press(browser, stateOf(requested), 'corp'), person)
    expect(outcomeOf(back)).toEqual({ page: '/u/consent' })
  })
})

describe('a proof made in the login', () => {
  it('by a password on the login page suffices', async () => {
    for (const extra of [{}, { prompt: 'login' }, { max_age: '0' }]) {
      const own = server.browser()
      const login = await signIn(own, email, { ...ADD, ...extra })
      expect((await redeem(own, login.get('code') ?? '')).json().scope).toBe(ADD.scope)
    }
  })

  it('is not the answer of a provider, which may have a session of its own', async () => {
    const person = { sub: server.random.hex(6), email: `corp-${email}`, email_verified: true, name: 'Kim' }
    browser = server.browser()
    const left = locationOf(await ask({ ...ADD, connection: 'corp' }))
    expect(left.searchParams.get('prompt')).toBe('login')
    const back = await comeBack(browser, server.double, left, person)
    expect(outcomeOf(back)).toEqual({ page: '/u/consent' })
    expect(await scopesIn(await act(back, 'accept'))).toBe(ADD.scope)
  })

  it('by a link does not count for an application that had it mailed', async () => {
    email = `link-${email}`
    const authParams = {
      ...ADD,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      redirect_uri: 'https://app.test/cb',
    }
    await start(browser, { connection: 'email', email, authParams })
    server.clock.advance(1)
    const link = new URL((await messagesTo(server, email))[0]?.link ?? '')
    browser = server.browser()
    const page = await browser.get(link.pathname + link.search)
    const fields = [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]])
    const form = { ...Object.fromEntries(fields), action: 'login' }
    const opened = await browser.post('/passwordless/verify_redirect', { form })
    expect(outcomeOf(opened)).toEqual({ page: '/u/consent' })
    expect(await scopesIn(await act(opened, 'accept'))).toBe(ADD.scope)
  })

  it('by a password, a code or a passkey at the token endpoint suffices', async () => {
    const form = { grant_type: 'password', client_id: 'spa', username: email, password: PASSWORD, ...ADD }
    expect((await server.browser().post('/oauth/token', { form })).json().scope).toBe(ADD.scope)
    await sendTo(browser, email)
    const byCode = await redeemCode(browser, email, await codeTo(server, email), ADD)
    expect(byCode.json().scope).toBe(ADD.scope)
    const credential = softCredential()
    await addPasskey(server, userId, credential)
    const started = (await browser.post('/passkey/challenge', { json: { client_id: 'spa' } })).json()
    const { challenge } = started.authn_params_public_key as { challenge: string }
    const authn_response = credential.use({ ...HERE, challenge })
    const json = { client_id: 'spa', grant_type: WEBAUTHN, auth_session: started.auth_session, authn_response, ...ADD }
    expect((await browser.post('/oauth/token', { json })).json().scope).toBe(ADD.scope)
  })

  it('by a password on a page of the application suffices, also where nothing is shown', async () => {
    const json = { client_id: 'spa', username: email, password: PASSWORD, credential_type: 'password', realm: 'Users' }
    const own = server.browser()
    const proven = await own.post('/co/authenticate', { json, headers: { origin: 'https://app.test' } })
    const login_ticket = String(proven.json().login_ticket)
    const query = authorizeQuery({ login_ticket, realm: 'Users', prompt: 'none', ...ADD })
    const { code = '' } = outcomeOf(await own.get('/authorize', { query }))
    expect((await redeem(own, code)).json().scope).toBe(ADD.scope)
  })
})

describe('a device', () => {
  const devices = async (scope: string) => {
    const form = { client_id: 'spa', audience: ME, scope }
    return (await server.browser().post('/oauth/device/code', { form })).json() as Record<string, string>
  }
  const connect = async (user_code = ''): Promise<TestResponse> => {
    const { text } = await browser.post('/activate', { form: { user_code, action: 'continue' } })
    const confirmation = /name="confirmation" value="([^"]+)"/.exec(text)?.[1] ?? ''
    return browser.post('/activate', { form: { user_code, confirmation, action: 'confirm' } })
  }
  const poll = async (device_code = '') => {
    const form = { grant_type: DEVICE_GRANT, client_id: 'spa', device_code }
    return (await server.browser().post('/oauth/token', { form })).json()
  }

  it.each([
    ['signed in', true],
    ['who signs in now', false],
  ])('gets such a token after a page that says so, also by a person %s', async (_who, hasSession) => {
    if (!hasSession) browser = server.browser()
    const { user_code, device_code } = await devices(ADD.scope)
    let answer = await connect(user_code)
    if (!hasSession) {
      expect(outcomeOf(answer)).toEqual({ page: '/u/login' })
      answer = await submitPassword(browser, stateOf(answer), email)
    }
    expect(outcomeOf(answer)).toEqual({ page: '/u/consent' })
    expect(await poll(device_code)).toMatchObject({ error: 'authorization_pending' })
    server.clock.advance(10)
    await act(answer, 'accept')
    expect(await poll(device_code)).toMatchObject({ scope: ADD.scope })
  })

  it('gets one that reads without it', async () => {
    const { user_code, device_code } = await devices('openid read:me:factors')
    expect(locationOf(await connect(user_code)).search).toBe('?result=connected')
    expect(await poll(device_code)).toMatchObject({ scope: 'openid read:me:factors' })
  })
})

it('no refresh token continues such a token, or widens another to it', async () => {
  const own = server.browser()
  for (const { audience, scope } of SCOPES.filter(({ changes, personal }) => changes && personal)) {
    const login = await signIn(own, email, { audience, scope: `openid offline_access ${scope}`, prompt: 'login' })
    expect((await redeem(own, login.get('code') ?? '')).json()).not.toHaveProperty('refresh_token')
  }
  const login = await signIn(own, email, {
    audience: 'https://api.test',
    scope: 'offline_access enroll',
    prompt: 'login',
  })
  const { refresh_token } = (await redeem(own, login.get('code') ?? '')).json()
  for (const { audience, scope } of [ADD, { audience: MFA, scope: 'enroll' }]) {
    const form = {
      grant_type: 'refresh_token',
      client_id: 'spa',
      refresh_token: String(refresh_token),
      audience,
      scope,
    }
    const answer = (await own.post('/oauth/token', { form })).json()
    expect(answer.access_token === undefined || payloadOf(answer.access_token).aud === 'https://api.test').toBe(true)
  }
})

it('an action of the tenant adds no scope of a built-in API', async () => {
  await bindAction(server, 'post-login', postLogin(`api.accessToken.addScope('create:me:authentication_methods')`))
  const requested = { audience: ME, scope: 'openid read:me:factors' }
  const { code = '' } = outcomeOf(await ask({ ...requested, prompt: 'none' }))
  expect((await redeem(browser, code)).json().scope).toBe(requested.scope)
  const login = await signIn(server.browser(), email, requested)
  expect((await redeem(browser, login.get('code') ?? '')).json().scope).toBe(requested.scope)
  await server.setTenant({})
})

describe('an endpoint that changes how a person signs in', () => {
  it('demands a scope that is judged so, whichever it is', async () => {
    const runtime = await server.runtime()
    const personal = new Map(SCOPES.filter((each) => each.personal).map(({ scope, changes }) => [scope, changes]))
    const demanded = Object.values(ENDPOINTS).flatMap(({ describe: description }) => {
      const { POST, PUT, PATCH, DELETE } = (description?.(runtime) ?? {}) as Partial<Description>
      return [POST, PUT, PATCH, DELETE].flatMap((method) => method?.scopes ?? [])
    })
    const own = [...new Set(demanded)].filter((scope) => personal.has(scope))
    expect(own.filter((scope) => !personal.get(scope))).toEqual(PREFERENCES.toSorted().reverse())
    expect(own.length).toBeGreaterThan(PREFERENCES.length)
  })

  it('judges when the person authenticated, not when the token was made', async () => {
    server.clock.advance(3500)
    const allowed = await act(
      await ask({ audience: MANAGEMENT, scope: 'create:current_user_device_credentials' }),
      'accept',
    )
    const { access_token } = (await redeem(browser, outcomeOf(allowed).code ?? '')).json()
    const add = (device_id: string) =>
      browser.post('/api/v2/device-credentials', {
        json: { device_name: 'Phone', device_id, type: 'public_key', value: 'AAAA' },
        headers: { authorization: `Bearer ${access_token}` },
      })
    expect((await add('1')).status).toBe(201)
    server.clock.advance(200)
    const late = await add('2')
    expect(late.status).toBe(401)
    expect(late.header('www-authenticate')).toContain('max_age="3600"')
  })
})
