// Captchas of the login pages and of the API (threat-model.md BD1 to BD6).
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallOutError } from '../../../kernel/call-out'
import { digestHex } from '../../../kernel/secret'
import { authorizeQuery, beginLogin, locationOf, SPA } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { addPasswordless, messagesTo } from '../../../testing/passwordless'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

type Call = { address: string; body: string; seconds: number | undefined }

let server: TestServer
let manager: Manager
let browser: Browser
let email = ''
let calls: Call[] = []
/** What the captcha provider answers; null where it cannot be reached. */
let verdict: Record<string, unknown> | null = null

beforeAll(async () => {
  server = await testServer({
    async callOut(address, { body, seconds }) {
      calls.push({ address, body: String(body), seconds })
      if (!verdict) throw new CallOutError('ECONNREFUSED')
      return { status: 200, headers: {}, body: new Uint8Array(Buffer.from(JSON.stringify(verdict))) }
    },
  })
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: GRANTS } })
  await addPasswordless(server)
  manager = await addManager(server)
})
afterAll(() => server.close())

const GRANTS = ['authorization_code', 'password']

let counter = 0
beforeEach(async () => {
  calls = []
  verdict = null
  email = `bot${++counter}@mail.test`
  await server.addUser({ email, username: `bot${counter}` })
  browser = server.browser({ ip: `198.51.100.${counter}` })
  await protect({})
})

type Protection = { botDetection?: object; captcha?: object }

const protect = ({ botDetection = {}, captcha = {} }: Protection): Promise<void> =>
  server.setTenant({ tenant: { default_directory: 'Users' }, attackProtection: { botDetection, captcha } })
const always = { challenge_password_policy: 'always', challenge_password_reset_policy: 'always' }
const everywhere = { ...always, challenge_passwordless_policy: 'always' }

type Work = { captcha_session: string; captcha_number: string }

const attribute = (text: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(text)?.[1] ?? ''

/** Does what captcha.js does. */
function solve(page: string): Work {
  const [salt, target] = [attribute(page, 'data-salt'), attribute(page, 'data-work')]
  const session = /name="captcha_session" value="([^"]*)"/.exec(page)?.[1] ?? ''
  return { captcha_session: session, captcha_number: numberOf(salt, target) }
}

function numberOf(salt: string, target: string): string {
  for (let number = 0; number < 100_000; number++) if (digestHex(salt + number) === target) return String(number)
  throw new Error('the challenge has no solution')
}

const pageOf = async (state: string, screen = 'login', from = browser): Promise<string> =>
  (await from.get(`/u/${screen}`, { query: { state } })).text
const submit = (state: string, form: Record<string, string>, from = browser): Promise<TestResponse> =>
  from.post('/u/submit', { form: { state, ...form } })
const login = (state: string, form: Partial<Work> & { captcha_code?: string; password?: string } = {}) =>
  submit(state, { action: 'login', username: email, password: PASSWORD, ...form })
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const isSignedIn = (answer: TestResponse): boolean => locationOf(answer).searchParams.has('code')

const withOtherStart = (session: string): string => (session.startsWith('A') ? 'B' : 'A') + session.slice(1)

describe('a proof of work', () => {
  beforeEach(() => protect({ botDetection: everywhere }))

  it('lets a login pass, from a page that loads nothing from elsewhere', async () => {
    const state = await beginLogin(browser)
    const answer = await browser.get('/u/login', { query: { state } })
    expect(answer.text).toContain('src="/captcha.js"')
    expect(answer.header('content-security-policy')).toContain("script-src 'self';")
    expect(isSignedIn(await login(state, solve(answer.text)))).toBe(true)
  })

  it.each<[string, (work: Work) => Partial<Work>, string]>([
    ['nothing', () => ({}), 'captcha_missing'],
    ['no number', ({ captcha_session }) => ({ captcha_session }), 'captcha_missing'],
    ['a wrong number', (work) => ({ ...work, captcha_number: '-1' }), 'captcha_wrong'],
    [
      'a changed session',
      (work) => ({ ...work, captcha_session: withOtherStart(work.captcha_session) }),
      'captcha_wrong',
    ],
    ['an invented session', (work) => ({ ...work, captcha_session: 'x' }), 'captcha_wrong'],
  ])('refuses %s, whether or not the account exists and the password is right', async (_what, change, notice) => {
    const state = await beginLogin(browser)
    expect(noticeOf(await login(state, change(solve(await pageOf(state)))))).toBe(notice)
    const form = { username: 'nobody@mail.test', password: 'wrong' }
    const unknown = await submit(state, { action: 'login', ...form, ...change(solve(await pageOf(state))) })
    expect(noticeOf(unknown)).toBe(notice)
    expect(await pageOf(state)).toContain('nobody@mail.test')
  })

  it('counts once, also for two at the same time', async () => {
    const state = await beginLogin(browser)
    const work = solve(await pageOf(state))
    const answers = await Promise.all([1, 2, 3, 4].map(() => login(state, { ...work, password: 'wrong' })))
    expect(answers.map(noticeOf).sort()).toEqual([
      'captcha_wrong',
      'captcha_wrong',
      'captcha_wrong',
      'wrong_credentials',
    ])
    expect(noticeOf(await login(state, work))).toBe('captcha_wrong')
  })

  it('is of one login, one tenant, and one hour', async () => {
    const state = await beginLogin(browser)
    const work = solve(await pageOf(state))
    expect(noticeOf(await login(await beginLogin(browser), work))).toBe('captcha_wrong')
    const tenant = await server.addTenant(`bots${counter}`, `https://bots${counter}.test`)
    await tenant.addClient(SPA)
    await tenant.setTenant({ attackProtection: { botDetection: always } })
    const other = server.browser({ host: `bots${counter}.test` })
    const there = await beginLogin(other)
    const form = { action: 'login', username: email, password: PASSWORD }
    expect(noticeOf(await submit(there, { ...form, ...work }, other))).toBe('captcha_wrong')
    const late = await beginLogin(browser)
    server.clock.advance(1800)
    const page = solve(await pageOf(late))
    server.clock.advance(1799)
    expect(isSignedIn(await login(late, page))).toBe(true)
  })

  it('guards sign-up, the reset of a password and codes as well, and keeps what was typed', async () => {
    const state = await beginLogin(browser)
    const fresh = `new-${email}`
    const signUp = { action: 'sign-up', email: fresh, password: 'a lantern over the harbour wall' }
    const refused = await submit(state, signUp)
    expect([locationOf(refused).pathname, noticeOf(refused)]).toEqual(['/u/signup', 'captcha_missing'])
    const page = await pageOf(state, 'signup')
    expect(page).toContain(fresh)
    expect(page).not.toContain('lantern')
    const reset = { action: 'request-reset', email }
    expect(noticeOf(await submit(state, reset))).toBe('captcha_missing')
    expect(await mailsTo(server, email)).toEqual([])
    expect(noticeOf(await submit(state, { ...reset, ...solve(await pageOf(state, 'forgot-password')) }))).toBe(
      'reset_sent',
    )
    expect(await mailsTo(server, email)).toHaveLength(1)
    const code = { action: 'send-code', address: `code-${email}` }
    expect(noticeOf(await submit(state, code))).toBe('captcha_missing')
    const solved = await submit(state, { ...code, ...solve(await pageOf(state, 'passwordless')) })
    expect(locationOf(solved).pathname).toBe('/u/passwordless-code')
    expect(isSignedIn(await submit(state, { ...signUp, ...solve(page) }))).toBe(true)
  })
})

describe('risk', () => {
  it('demands a solution after failures of the network, for a right password too', async () => {
    await protect({ botDetection: { challenge_password_policy: 'when_risky', bot_detection_level: 'high' } })
    const state = await beginLogin(browser)
    expect(await pageOf(state)).not.toContain('captcha')
    for (let i = 0; i < 3; i++) expect(noticeOf(await login(state, { password: 'wrong' }))).toBe('wrong_credentials')
    const demanded = await login(state)
    expect(noticeOf(demanded)).toBe('captcha_missing')
    const page = (await browser.get(locationOf(demanded).href)).text
    expect(isSignedIn(await login(state, solve(page)))).toBe(true)
    expect(await server.audited()).toContainEqual(expect.objectContaining({ type: 'pla' }))
  })

  it('is detected by floods of messages', async () => {
    await protect({ botDetection: { challenge_passwordless_policy: 'when_risky', bot_detection_level: 'high' } })
    const state = locationOf(
      await browser.get('/authorize', { query: authorizeQuery({ connection: 'email' }) }),
    ).searchParams.get('state')
    const send = (address: string) => submit(state ?? '', { action: 'send-code', address })
    for (let i = 0; i < 3; i++) expect(locationOf(await send(`${i}-${email}`)).pathname).toBe('/u/passwordless-code')
    expect(noticeOf(await send(`4-${email}`))).toBe('captcha_missing')
  })

  it('is only recorded while the tenant monitors, and never judged for allowed addresses', async () => {
    await protect({ botDetection: { ...always, monitoring_mode_enabled: true } })
    const state = await beginLogin(browser)
    expect(await pageOf(state)).not.toContain('captcha')
    expect(isSignedIn(await login(state))).toBe(true)
    await protect({ botDetection: { ...always, allowlist: [`198.51.100.${counter}`] } })
    browser = server.browser({ ip: `198.51.100.${counter}` })
    expect(isSignedIn(await login(await beginLogin(browser)))).toBe(true)
    browser = server.browser({ ip: '192.0.2.200' })
    expect(noticeOf(await login(await beginLogin(browser)))).toBe('captcha_missing')
  })
})

describe('a code by mail', () => {
  beforeEach(() => protect({ botDetection: everywhere }))

  const codeIn = async (address: string): Promise<string> =>
    vi.waitFor(async () => {
      const [mail] = await mailsTo(server, address)
      if (!mail?.code) throw new Error('no mail yet')
      return mail.code
    }, 20_000)
  const ask = (state: string, username = email) => submit(state, { action: 'captcha-login', username })

  it('stands in for the challenge, where no script runs', async () => {
    const state = await beginLogin(browser)
    expect(await pageOf(state)).toContain('value="captcha-login"')
    expect(noticeOf(await ask(state))).toBe('captcha_sent')
    expect(await pageOf(state)).toContain('name="captcha_code"')
    const code = await codeIn(email)
    expect(isSignedIn(await login(state, { captcha_code: asPasted(code) }))).toBe(true)
  })

  it('counts for the rest of its login, and for its address alone', async () => {
    const state = await beginLogin(browser)
    await ask(state)
    const captcha_code = await codeIn(email)
    const other = await submit(state, { action: 'login', username: 'kim@mail.test', password: 'x', captcha_code })
    expect(noticeOf(other)).toBe('captcha_code')
    expect(noticeOf(await login(state, { captcha_code, password: 'wrong' }))).toBe('wrong_credentials')
    const further = await submit(state, { action: 'login', username: 'kim@mail.test', password: 'x' })
    expect(noticeOf(further)).toBe('captcha_missing')
    expect(isSignedIn(await login(state))).toBe(true)
    browser = server.browser({ ip: `198.51.100.${counter}` })
    const later = await beginLogin(browser)
    expect(noticeOf(await login(later, { captcha_code }))).toBe('captcha_missing')
  })

  it('ends after a quarter of an hour and after five tries, the right one among them', async () => {
    const state = await beginLogin(browser)
    await ask(state)
    const captcha_code = await codeIn(email)
    const wrong = captcha_code === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i++) expect(noticeOf(await login(state, { captcha_code: wrong }))).toBe('captcha_code')
    expect(noticeOf(await login(state, { captcha_code }))).toBe('captcha_code')
    const late = await beginLogin(browser)
    await ask(late)
    const second = await codeIn(email)
    server.clock.advance(901)
    expect(noticeOf(await login(late, { captcha_code: second }))).toBe('captcha_code')
  })

  it('goes to the address of a username, and nowhere for an unknown one, with one answer', async () => {
    const state = await beginLogin(browser)
    const known = await ask(state, `bot${counter}`)
    expect(await codeIn(email)).toMatch(/^\d{6}$/)
    const unknown = await ask(await beginLogin(browser), 'nobody-at-all')
    expect([noticeOf(known), noticeOf(unknown)]).toEqual(['captcha_sent', 'captcha_sent'])
    expect(noticeOf(await ask(state, ''))).toBe('missing_identifier')
  })

  it('is sent three times a day to one address', async () => {
    const state = await beginLogin(browser)
    for (let i = 0; i < 5; i++) expect(noticeOf(await ask(state))).toBe('captcha_sent')
    expect(await mailsTo(server, email)).toHaveLength(3)
  })
})

describe('a captcha of a third party', () => {
  const keys = { site_key: 'the-site-key', secret: 'the-secret' }
  const configure = async (captcha: object) => {
    expect((await manager.patch('/attack-protection/captcha', captcha)).status).toBe(200)
    expect((await manager.patch('/attack-protection/bot-detection', everywhere)).status).toBe(200)
    server.clock.advance(2)
  }

  it.each([
    ['turnstile', { turnstile: keys }, 'cf-turnstile-response', 'https://challenges.cloudflare.com'],
    ['hcaptcha', { hcaptcha: keys }, 'h-captcha-response', 'https://hcaptcha.com'],
    ['recaptcha_v2', { recaptcha_v2: keys }, 'g-recaptcha-response', 'https://www.google.com/recaptcha/'],
  ])('%s is asked with the tenant’s secret', async (name, settings, field, source) => {
    await configure({ active_provider_id: name, ...settings })
    const state = await beginLogin(browser)
    const page = await browser.get('/u/login', { query: { state } })
    expect(page.text).toContain('data-sitekey="the-site-key"')
    expect(page.text).not.toContain('the-secret')
    expect(page.header('content-security-policy')).toContain(`script-src 'self' ${source}`)
    const send = (token: string) => login(state, { [field]: token } as object)
    expect(noticeOf(await send(''))).toBe('captcha_missing')
    expect(calls).toEqual([])
    expect(noticeOf(await send('token'))).toBe('captcha_wrong')
    verdict = { success: false }
    expect(noticeOf(await send('token'))).toBe('captcha_wrong')
    verdict = { success: true, hostname: 'elsewhere.test' }
    expect(noticeOf(await send('token'))).toBe('captcha_wrong')
    verdict = { success: true, hostname: 'id.test' }
    expect(isSignedIn(await send('token'))).toBe(true)
    expect(calls.at(-1)?.body).toContain('secret=the-secret&response=token')
    expect(calls.at(-1)?.seconds).toBe(5)
    expect(JSON.stringify(server.lines)).not.toContain('the-secret')
  })

  it('recaptcha_enterprise is asked for an assessment', async () => {
    const recaptcha_enterprise = { site_key: 'site', api_key: 'the-api-key', project_id: 'a/b' }
    await configure({ active_provider_id: 'recaptcha_enterprise', recaptcha_enterprise })
    const state = await beginLogin(browser)
    const send = () => login(state, { 'g-recaptcha-response': 'token' } as object)
    verdict = { tokenProperties: { valid: true, hostname: 'id.test' }, riskAnalysis: { score: 0.1 } }
    expect(noticeOf(await send())).toBe('captcha_wrong')
    verdict = { tokenProperties: { valid: false } }
    expect(noticeOf(await send())).toBe('captcha_wrong')
    verdict = { tokenProperties: { valid: true, hostname: 'id.test' }, riskAnalysis: { score: 0.9 } }
    expect(isSignedIn(await send())).toBe(true)
    expect(calls.at(-1)?.address).toContain('/projects/a%2Fb/assessments?key=the-api-key')
    expect(calls.at(-1)?.seconds).toBe(5)
  })

  it('keeps its secret sealed', async () => {
    await configure({ active_provider_id: 'hcaptcha', hcaptcha: keys })
    const stored = await server.database.pool.query('SELECT settings::text FROM tenant')
    expect(JSON.stringify(stored.rows)).not.toContain('the-secret')
  })
})

describe('the API', () => {
  beforeEach(() => protect({ botDetection: everywhere }))

  const challenge = async (path: string): Promise<string> => {
    const { session, salt, target } = (await browser.post(path, { json: { state: 's' } })).json() as Record<
      string,
      string
    >
    return `${session}.${numberOf(salt ?? '', target ?? '')}`
  }
  const refusal = (answer: TestResponse) => {
    const { code, error } = answer.json() as { code?: string; error?: string }
    return [answer.status, code ?? error]
  }

  it('refuses the password grant: the application opens the login page', async () => {
    const form = { grant_type: 'password', client_id: 'spa', username: email, password: PASSWORD }
    expect(refusal(await browser.post('/oauth/token', { form }))).toEqual([403, 'requires_verification'])
    expect(
      refusal(await browser.post('/oauth/token', { form: { ...form, username: 'nobody', password: 'x' } })),
    ).toEqual([403, 'requires_verification'])
    await protect({})
    expect((await browser.post('/oauth/token', { form })).status).toBe(200)
  })

  it.each([
    ['/dbconnections/signup', '/dbconnections/signup/challenge', () => ({ password: 'a lantern over the wall' })],
    ['/dbconnections/change_password', '/dbconnections/change_password/challenge', () => ({})],
    ['/passwordless/start', '/passwordless/challenge', () => ({ connection: 'email', send: 'code' })],
  ])('%s takes a solution', async (path, probe, more) => {
    const address = `api-${email}`
    const body = { client_id: 'spa', connection: 'Users', email: address, ...more() }
    const post = (captcha?: string) => browser.post(path, { json: { ...body, ...(captcha && { captcha }) } })
    expect(refusal(await post())).toEqual([403, 'requires_verification'])
    expect(refusal(await post('x.1'))).toEqual([400, 'invalid_captcha'])
    expect(await mailsTo(server, address)).toEqual([])
    const captcha = await challenge(probe)
    expect((await post(captcha)).status).toBe(200)
    expect(refusal(await post(captcha))).toEqual([400, 'invalid_captcha'])
  })

  it('takes no solution of a page, and a page none of the API', async () => {
    const state = await beginLogin(browser)
    const { captcha_session, captcha_number } = solve(await pageOf(state))
    const body = { client_id: 'spa', connection: 'Users', email, captcha: `${captcha_session}.${captcha_number}` }
    expect(refusal(await browser.post('/dbconnections/change_password', { json: body }))).toEqual([
      400,
      'invalid_captcha',
    ])
    const [session = '', number = ''] = (await challenge('/usernamepassword/challenge')).split('.')
    expect(noticeOf(await login(state, { captcha_session: session, captcha_number: number }))).toBe('captcha_wrong')
  })
})

it('costs a login nothing while it is off', async () => {
  const state = await beginLogin(browser)
  expect(await pageOf(state)).not.toContain('captcha')
  expect(isSignedIn(await login(state))).toBe(true)
  expect((await messagesTo(server, email)).length).toBe(0)
})
