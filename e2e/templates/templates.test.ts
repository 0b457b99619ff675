// The action templates of the vendor, each applied by a tenant file with nothing reported, with its packages from the registry, and run by the login,
// sign-up, reset, message or exchange that it decides.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { TriggerName } from '../../lib/data/tenants/triggers'
import { createBundler } from '../../lib/identity/tenant-code/packages/bundle'
import { beginLogin, locationOf, payloadOf, redeem, SPA, submitPassword, WEB } from '../../lib/testing/journey'
import { ticketTo } from '../../lib/testing/mail'
import { addManager, type Manager } from '../../lib/testing/management'
import { associate, demand, MFA_GRANTS, REALM } from '../../lib/testing/mfa'
import type { TestResponse, TestServer } from '../../lib/testing/server'
import { applyText } from '../../lib/testing/tenant-file'
import { type Expected, type People, SCENARIOS, type Scenario } from './scenarios'
import { openWorld, secondsBehind, type World } from './world'

const FOLDER = process.env.TEMPLATES ?? ''
const PASSWORD = 'correct horse battery staple'
const NEW_PASSWORD = 'a lantern over the harbour wall'
const API = 'https://api.test/'
const LOGIN_URL = 'https://id.test/continue'

type Template = {
  name: string
  trigger: TriggerName
  code: string
  dependencies: { name: string; version: string }[]
  scenarios: readonly Scenario[]
}

const TRIGGERS: Readonly<Record<string, TriggerName>> = {
  POST_LOGIN: 'post-login',
  CREDENTIALS_EXCHANGE: 'credentials-exchange',
  PRE_USER_REGISTRATION: 'pre-user-registration',
  POST_USER_REGISTRATION: 'post-user-registration',
  POST_CHANGE_PASSWORD: 'post-change-password',
  PASSWORD_RESET_POST_CHALLENGE: 'password-reset-post-challenge',
  SEND_PHONE_MESSAGE: 'send-phone-message',
  CUSTOM_TOKEN_EXCHANGE: 'custom-token-exchange',
}

const templates = readdirSync(FOLDER).map((name): Template => {
  const { modules = [] } = parse(readFileSync(join(FOLDER, name, 'manifest.yaml'), 'utf8'))
  const [base = '', trigger = ''] = /^(.*)-([A-Z_]+)$/.exec(name)?.slice(1) ?? []
  const scenarios = SCENARIOS[name] ?? SCENARIOS[base] ?? bySimilar(base)
  return {
    name,
    trigger: TRIGGERS[trigger] ?? expect.fail(`there is no trigger ${trigger}`),
    code: readFileSync(join(FOLDER, name, 'code.js'), 'utf8'),
    dependencies: modules,
    // A person who signs up has nothing yet.
    scenarios: scenarios.filter(({ person }) => trigger !== 'POST_USER_REGISTRATION' || !person?.userMetadata),
  }
})

/** A name may go on in words that say nothing of the scenario. */
function bySimilar(base: string): readonly Scenario[] {
  return Object.entries(SCENARIOS).find(([known]) => base.startsWith(known))?.[1] ?? []
}

let world: World
let server: TestServer
let manager: Manager
beforeAll(async () => {
  world = await openWorld()
  ;({ server } = world)
  manager = await addManager(server)
  const grants = [...MFA_GRANTS, 'authorization_code']
  await server.addClient({
    ...SPA,
    settings: {
      ...SPA.settings,
      grant_types: grants,
      token_exchange: { allow_any_profile_of_type: ['custom_authentication'] },
    },
  })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, callbacks: [LOGIN_URL], grant_types: grants } })
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: true })
  await server.addRole('clerk', {})
})
afterAll(() => world.close())

let people = 0
let email = ''
let userId = ''
beforeEach(() => {
  world.requests.splice(0)
})

async function prepare({ person = {}, roles = [] }: Scenario): Promise<void> {
  // Never back: settings are cached by this clock.
  server.clock.advance(Math.max(0, secondsBehind(server)))
  people += 1
  email = `kim${people}@mail.test`
  userId = await server.addUser({ id: `kim${people}`, email, data: { createdAt: server.clock.now(), ...person } })
  for (const role of roles) await server.giveRole(userId, role)
  await demand(server, [], ['otp', 'sms', 'recovery-code'])
}

/** The scenarios name one address. */
const withAddress = (scenario: Scenario): Scenario => {
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll('kim@mail.test', email)
    if (Array.isArray(value)) return value.map(named)
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(member)]))
  }
  return named(scenario) as Scenario
}

const filled = (code: string, { filled = [] }: Scenario): string =>
  filled.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }, code)

async function apply({ name, trigger, code, dependencies }: Template, scenario: Scenario): Promise<void> {
  const { versions = {} } = scenario
  const needed = dependencies.map((each) => ({ ...each, version: versions[each.name] ?? each.version }))
  const secrets = Object.entries(scenario.secrets ?? {}).map(([key, value]) => ({ name: key, value }))
  const supported_triggers = [{ id: trigger }]
  const isBound = trigger !== 'custom-token-exchange'
  const plan = await applyText(
    server,
    'default',
    JSON.stringify({
      actions: [
        { name, code: filled(code, scenario), dependencies: needed, secrets, supported_triggers, deployed: true },
      ],
      ...(isBound ? { triggers: { [trigger]: [{ action_name: name }] } } : {}),
      ...(isBound
        ? {}
        : { tokenExchangeProfiles: [{ name: 'Profile', subject_token_type: 'urn:acme:token', action: name }] }),
    }),
    {},
    createBundler({ root: process.cwd() }),
  )
  expect(plan.notApplied).toEqual([])
}

type Ended = { outcome: Expected['outcome']; tokens?: Record<string, unknown>; text: string }

async function login({ query = {}, ip }: Scenario): Promise<Ended> {
  const browser = server.browser(ip === undefined ? {} : { ip })
  const state = await beginLogin(browser, { audience: API, scope: 'openid profile email', ...query })
  const answer = await submitPassword(browser, state, email)
  const to = locationOf(answer)
  if (to.searchParams.has('code')) {
    const tokens = (await redeem(browser, to.searchParams.get('code') ?? '')).json()
    return { outcome: 'tokens', tokens, text: to.href }
  }
  if (to.searchParams.has('error')) return { outcome: 'denied', text: to.href }
  return { outcome: to.pathname.startsWith('/u/') ? 'factor' : 'redirect', text: to.href }
}

const passedIf = (answer: TestResponse, status = 200): Ended => ({
  outcome: answer.status === status ? 'passed' : 'denied',
  text: answer.text,
})

const signUp = async (): Promise<Ended> => {
  await server.database.pool.query('DELETE FROM "user" WHERE email = $1', [email])
  const json = { client_id: 'spa', connection: 'Users', email, password: PASSWORD }
  const answer = await server.browser().post('/dbconnections/signup', { json })
  userId = `auth0|${answer.json()._id}`
  return passedIf(answer)
}

async function reset(): Promise<Ended> {
  const browser = server.browser()
  server.clock.advance(1)
  await browser.post('/dbconnections/change_password', { json: { client_id: 'spa', connection: 'Users', email } })
  const ticket = await ticketTo(server, email)
  const form = { ticket, action: 'reset-password', password: NEW_PASSWORD }
  return passedIf(await browser.post('/u/reset-password', { form }))
}

async function message(): Promise<Ended> {
  const browser = server.browser()
  await demandFactor()
  const form = { ...webSecret, grant_type: REALM, realm: 'Users', username: email, password: PASSWORD, scope: 'openid' }
  const { mfa_token } = (await browser.post('/oauth/token', { form })).json()
  const json = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: '+491711234567' }
  return passedIf(await associate(browser, mfa_token, json))
}
const webSecret = { client_id: WEB.clientId, client_secret: WEB.secret }

async function demandFactor(): Promise<void> {
  const { rows } = await server.database.pool.query("SELECT settings FROM tenant WHERE id = 'default'")
  await server.setTenant({ ...rows[0].settings, guardianPolicies: { policies: ['all-applications'] } })
}

const PEOPLE: People = {
  async accessToken() {
    const form = { grant_type: REALM, realm: 'Users', client_id: 'spa', username: email, password: PASSWORD }
    const answer = await server.browser().post('/oauth/token', { form: { ...form, audience: API, scope: 'read' } })
    return String(answer.json().access_token)
  },
  async foreignToken(host, claims, header) {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' }
    world.published.set(host, JSON.stringify({ keys: [key] }))
    const at = Math.floor(server.clock.now().getTime() / 1000)
    return new SignJWT({ ...claims, iat: at, exp: at + 3600 })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(privateKey)
  },
}

async function exchange({ subjectToken, query = {} }: Scenario): Promise<Ended> {
  const form = {
    ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: 'spa', audience: API },
    ...{ subject_token: (await subjectToken?.(PEOPLE)) ?? '', subject_token_type: 'urn:acme:token' },
    ...{ scope: 'openid email', ...query },
  }
  const answer = await server.browser().post('/oauth/token', { form })
  const tokens = answer.json()
  return { outcome: answer.status === 200 ? 'tokens' : 'denied', tokens, text: answer.text }
}

async function credentials(): Promise<Ended> {
  const form = { grant_type: 'client_credentials', client_id: 'manager', client_secret: 'the secret of the manager' }
  return passedIf(
    await server.browser().post('/oauth/token', { form: { ...form, audience: 'https://id.test/api/v2/' } }),
  )
}

const RUNS: Readonly<Record<string, (scenario: Scenario) => Promise<Ended>>> = {
  'post-login': login,
  'credentials-exchange': credentials,
  'pre-user-registration': signUp,
  'post-user-registration': signUp,
  'post-change-password': reset,
  'password-reset-post-challenge': reset,
  'send-phone-message': message,
  'custom-token-exchange': exchange,
}

const runsOf = async (name: string): Promise<Record<string, unknown>[]> => {
  const query = { action_name: name, take: '1' }
  const answer = await manager.get('/actions/executions', { query })
  expect(answer.status, answer.text).toBe(200)
  const { executions } = answer.json()
  return (executions as { results: Record<string, unknown>[] }[]).map(({ results }) => results[0] ?? {})
}

it('has scenarios for every template', () => {
  expect(templates.length).toBeGreaterThan(0)
  expect(templates.filter(({ scenarios }) => scenarios.length === 0).map(({ name }) => name)).toEqual([])
})

describe.each(templates)('$name', (template) => {
  it.each(template.scenarios)('the template behaves as described where $when', async (described) => {
    await prepare(described)
    const scenario = withAddress(described)
    const { expected } = scenario
    await apply(template, scenario)
    // The manager's own tokens are no part of the scenario.
    const token = template.trigger === 'credentials-exchange' ? null : await manager.token()
    await server.database.pool.query('DELETE FROM action_run')
    world.requests.splice(0)
    const ended = await (RUNS[template.trigger] ?? expect.fail(template.trigger))(scenario)
    if (scenario.asksItself) return expect(ended.outcome).toBe(expected.outcome)
    await expect.poll(() => runsOf(template.name)).toHaveLength(1)
    const [run] = await runsOf(template.name)
    const denies = expected.outcome === 'denied'
    expect(run?.outcome, JSON.stringify(run)).toBe(denies ? 'denied' : 'ok')
    const isTokens = expected.outcome === 'passed' && template.trigger === 'post-login'
    expect(ended.outcome, `${ended.text} ${JSON.stringify(run)}`).toBe(isTokens ? 'tokens' : expected.outcome)
    if (expected.idToken) expect(payloadOf(ended.tokens?.id_token)).toMatchObject(expected.idToken)
    if (expected.accessToken) expect(payloadOf(ended.tokens?.access_token)).toMatchObject(expected.accessToken)
    const own = userId.replace('|', '%7C')
    if (expected.requests) expect(world.requests).toEqual(expected.requests.map((each) => each.replace('USER', own)))
    if (expected.user) {
      const read = () => manager.send('GET', `/users/${own}`, token === null ? {} : { token })
      await expect.poll(async () => (await read()).json()).toMatchObject(expected.user)
    }
  })
})
