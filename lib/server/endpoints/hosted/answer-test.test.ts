// Tests of SAML and WS-Federation add-ons: the answer is made, read as its application would, and sent nowhere (docs/adr/0072, threat-model.md AZ15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locationOf, SPA, signIn, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { makePartner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Line = { name: string; verdict: string; value?: string; says?: string }
type Step = {
  kind: string
  subject: string
  outcome: string
  lines?: Line[]
  claims?: { assertion?: Record<string, unknown> }
}
type Login = { outcome: string; reason: string | null; client_id: string | null; requests: { steps: Step[] }[] }
type Made = { login_id: string; url: string }

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

let server: TestServer
let manager: Manager
let next = 0
const browserAt = (): Browser => server.browser({ ip: `203.0.113.${++next}` })

const make = async (body: Record<string, unknown>): Promise<Made> =>
  (await manager.post('/login-tests', { client_id: 'spa', ...body })).json() as unknown as Made
const start = (browser: Browser, { url }: Made): Promise<TestResponse> => {
  const { pathname, search } = new URL(url)
  return browser.get(pathname + search)
}
/** From the start to what the browser gets at the end of the login. */
async function tested(browser: Browser, made: Made): Promise<TestResponse> {
  const page = locationOf(await start(browser, made))
  return submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')
}
async function inspected({ login_id }: Made): Promise<Login & { answer: Step | undefined }> {
  await server.loginLog.flush()
  const login = (await manager.get(`/logins/${login_id}`)).json() as unknown as Login
  const steps = login.requests.flatMap((request) => request.steps)
  return { ...login, answer: steps.find(({ kind }) => kind === 'tokens') }
}
const verdicts = (step: Step | undefined): Record<string, string> =>
  Object.fromEntries((step?.lines ?? []).map(({ name, verdict }) => [name, verdict]))

async function addApplication(clientId: string, addons: Record<string, unknown>): Promise<void> {
  await server.addClient({ ...SPA, clientId, settings: { ...SPA.settings, addons } } as never)
}

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { emailVerified: true } } as never)
  manager = await addManager(server)
})
afterAll(() => server.close())

describe('a test of a SAML add-on', () => {
  it('reads the answer against the published metadata, and sends it to no one', async () => {
    const [browser, made] = [browserAt(), await make({ protocol: 'samlp' })]
    const answer = await tested(browser, made)
    expect([answer.status, locationOf(answer).pathname]).toEqual([303, `/console/logins/${made.login_id}`])
    expect(answer.text).toBe('')
    const login = await inspected(made)
    expect(login).toMatchObject({ outcome: 'succeeded', client_id: 'spa' })
    expect(login.answer).toMatchObject({ subject: 'samlp', outcome: 'ok' })
    expect(verdicts(login.answer)).toMatchObject({
      ...{ signature: 'ok', issuer: 'ok', destination: 'ok', conditions: 'ok', audience: 'ok', confirmation: 'ok' },
      ...{ 'mapping of email': 'ok', 'mapping of family_name': 'ignored' },
    })
    expect(login.answer?.claims?.assertion).toMatchObject({
      name_id: 'auth0|kim',
      [`${CLAIMS}/emailaddress`]: 'kim@mail.test',
    })
  })

  it('stores no assertion', async () => {
    const made = await make({ protocol: 'samlp' })
    await tested(browserAt(), made)
    await server.loginLog.flush()
    const { rows } = await server.database.pool.query('SELECT sealed FROM login_part WHERE login_id = $1', [
      made.login_id,
    ])
    const plain = rows.map(({ sealed }) => server.vault.open('login part', sealed)?.toString() ?? '').join()
    expect(plain).toContain('kim@mail.test')
    expect(plain).not.toMatch(/SignatureValue|<saml|PHNhbWxw/)
  })

  it('leaves the session of the browser alone, and neither a session nor a participant of its own', async () => {
    const browser = browserAt()
    await signIn(browser, 'kim@mail.test')
    const before = browser.cookies.get('__Host-latchkey_session')
    await tested(browser, await make({ protocol: 'samlp' }))
    expect(browser.cookies.get('__Host-latchkey_session')).toBe(before)
    const sessions = await server.database.pool.query(
      'SELECT count(*)::int AS count FROM session WHERE user_id = $1 AND ended_at IS NULL',
      ['auth0|kim'],
    )
    const participants = await server.database.pool.query('SELECT count(*)::int AS count FROM saml_participant')
    expect([sessions.rows, participants.rows]).toEqual([[{ count: 1 }], [{ count: 0 }]])
  })

  it('says which check its application would not pass', async () => {
    await addApplication('elsewhere', { samlp: { recipient: 'https://elsewhere.test/acs' } })
    const made = await make({ client_id: 'elsewhere', protocol: 'samlp' })
    await tested(browserAt(), made)
    const login = await inspected(made)
    expect(login).toMatchObject({ outcome: 'failed', reason: 'answer_unfit' })
    expect(verdicts(login.answer)).toMatchObject({ signature: 'ok', audience: 'ok', confirmation: 'failed' })
  })

  it('reads an encrypted assertion before it is encrypted', async () => {
    const { certificatePem } = await makePartner()
    await addApplication('encrypted', { samlp: { encryptionCert: certificatePem } })
    const made = await make({ client_id: 'encrypted', protocol: 'samlp' })
    await tested(browserAt(), made)
    expect(verdicts((await inspected(made)).answer)).toMatchObject({ encryption: 'ok', signature: 'ok' })
  })

  it('ends in the inspector where the application has no address for the answer', async () => {
    await server.addClient({ ...SPA, clientId: 'bare', settings: { ...SPA.settings, callbacks: [] } } as never)
    const made = await make({ client_id: 'bare', protocol: 'samlp' })
    expect(locationOf(await start(browserAt(), made)).pathname).toBe(`/console/logins/${made.login_id}`)
    expect(await inspected(made)).toMatchObject({ outcome: 'failed', reason: 'callback_missing' })
  })
})

describe('a test of a WS-Federation add-on', () => {
  it.each([
    ['saml11', { signature: 'ok', issuer: 'ok', conditions: 'ok', audience: 'ok', 'mapping of email': 'ok' }],
    ['saml20', { signature: 'ok', issuer: 'ok', conditions: 'ok', audience: 'ok', 'mapping of email': 'ok' }],
    ['jwt', { signature: 'ok', issuer: 'ok', conditions: 'ok', audience: 'ok' }],
  ])('reads a token of the type %s', async (tokenType, checks) => {
    await addApplication(`wsfed-${tokenType}`, { wsfed: { tokenType } })
    const made = await make({ client_id: `wsfed-${tokenType}`, protocol: 'wsfed' })
    const answer = await tested(browserAt(), made)
    expect([answer.status, answer.text]).toEqual([303, ''])
    const login = await inspected(made)
    expect(login).toMatchObject({ outcome: 'succeeded' })
    expect(verdicts(login.answer)).toMatchObject(checks)
    expect(login.answer?.claims?.assertion).toMatchObject({ name_id: 'auth0|kim' })
  })
})

describe('a test of an add-on is refused', () => {
  it('where the application does not have it, for parameters of another protocol, and without an application', async () => {
    const settings = { ...SPA.settings, is_first_party: false }
    await server.addClient({ ...SPA, clientId: 'third', settings } as never)
    const status = async (body: unknown) => (await manager.post('/login-tests', body)).status
    expect(await status({ client_id: 'third', protocol: 'samlp' })).toBe(400)
    expect(await status({ client_id: 'third', protocol: 'wsfed' })).toBe(400)
    expect(await status({ client_id: 'spa', protocol: 'samlp', parameters: { SAMLRequest: 'x' } })).toBe(400)
    expect(await status({ client_id: 'spa', protocol: 'wsfed', parameters: { wreply: 'https://evil.test' } })).toBe(400)
    expect(await status({ client_id: 'spa', protocol: 'oidc' })).toBe(400)
    expect(await status({ connection: 'Users', protocol: 'samlp' })).toBe(404)
    expect(await status({ client_id: 'latchkey-console', protocol: 'samlp' })).toBe(404)
  })

  it('when it is started again, and in a browser that did not begin it', async () => {
    const [browser, made] = [browserAt(), await make({ protocol: 'samlp' })]
    const page = locationOf(await start(browser, made))
    expect((await start(browser, made)).status).toBe(400)
    const stolen = await submitPassword(browserAt(), page.searchParams.get('state') ?? '', 'kim@mail.test')
    expect(stolen.header('location') ?? '').not.toContain('/console/logins/')
    expect(stolen.status).not.toBe(303)
  })

  it('by a request from outside: an application still gets its answer itself', async () => {
    const browser = browserAt()
    const { pathname, search } = locationOf(await browser.get('/samlp/spa?protocol=test&login=x'))
    const state = new URLSearchParams(search).get('state') ?? ''
    expect(pathname).toBe('/u/login')
    const answer = await submitPassword(browser, state, 'kim@mail.test')
    expect(answer.text).toContain('SAMLResponse')
    expect(answer.text).toContain('https://app.test/cb')
  })
})
