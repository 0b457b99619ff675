// The content of a stolen dump and a stolen log after the complete life of one login (threat-model.md SC1, SC2).
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpEverything } from '../../../testing/dump'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  refresh,
  SPA,
  submitPassword,
  userinfo,
  VERIFIER,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, PASSWORD, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let dump: string
let log: string
/** Every secret that was sent over the wire, by name. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(WEB)
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  const browser = server.browser()
  await walk(browser)
  await failEverywhere(browser)
  expect((await server.audited()).length).toBeGreaterThan(10)
  dump = await dumpEverything(server.database)
  log = JSON.stringify(server.lines)
})
afterAll(() => server.close())

async function walk(browser: Browser): Promise<void> {
  const state = await beginLogin(browser, { audience: 'https://api.test', scope: 'openid offline_access read:things' })
  const answer = await submitPassword(browser, state, 'kim@mail.test')
  const code = locationOf(answer).searchParams.get('code') ?? ''
  const tokens = (await redeem(browser, code)).json()
  const again = (await refresh(browser, tokens.refresh_token)).json()
  const query = authorizeQuery({ id_token_hint: String(tokens.id_token), prompt: 'login', client_secret: WEB.secret })
  await browser.get('/authorize', { query })
  for (const [name, value] of Object.entries({ ...tokens })) if (/token$/.test(name)) secrets.set(name, String(value))
  for (const [name, value] of Object.entries({ ...again }))
    if (/token$/.test(name)) secrets.set(`second ${name}`, String(value))
  for (const [name, value] of browser.cookies) secrets.set(name, value)
  secrets.set('code', code).set('handle', state).set('password', PASSWORD).set('client secret', WEB.secret)
  secrets.set('verifier', VERIFIER)
}

/** Refusals log the most, so each is provoked with a real secret in it. */
async function failEverywhere(browser: Browser): Promise<void> {
  const of = (name: string) => secrets.get(name) ?? ''
  const wrong = 'a wrong password that must not be logged'
  secrets.set('wrong password', wrong)
  await submitPassword(browser, await beginLogin(browser, { prompt: 'login' }), 'kim@mail.test', wrong)
  await submitPassword(browser, of('handle'), 'kim@mail.test')
  await redeem(browser, of('code'))
  await redeem(browser, of('code'), webCredentials())
  await redeem(browser, of('code'), { client_id: 'web', client_secret: WEB.secret, extra: of('refresh_token') })
  await refresh(browser, of('refresh_token'), { client_id: 'web' })
  await browser.post(`/oauth/token?client_secret=${WEB.secret}`, { form: webCredentials() })
  await userinfo(browser, `${of('access_token')}x`)
  await browser.get('/userinfo', { query: { access_token: of('access_token') } })
  await browser.get('/authorize', { query: authorizeQuery({ id_token_hint: `${of('id_token')}x` }) })
  await browser.get('/oidc/logout', { query: { id_token_hint: `${of('id_token')}x` } })
  await browser.get('/u/unblock', { query: { ticket: of('refresh_token') } })
  await browser.get('/v2/logout')
}

it('the walk covers everything that has a secret', () => {
  expect([...secrets.keys()]).toEqual(
    expect.arrayContaining([
      'access_token',
      'id_token',
      'refresh_token',
      'code',
      'handle',
      'password',
      '__Host-latchkey_session',
    ]),
  )
  expect([...secrets.values()].every((value) => value.length > 15)).toBe(true)
  expect(server.lines.length).toBeGreaterThan(8)
  expect(dump).toContain('kim@mail.test')
})

describe.each(['the dump', 'the log'])('%s', (where) => {
  const text = () => (where === 'the dump' ? dump : log)

  it('it holds no password, token, code, handle, cookie, verifier or client secret', () => {
    for (const [name, value] of secrets) {
      expect(text().includes(value), name).toBe(false)
      expect(text().includes(Buffer.from(value).toString('hex')), `${name} in hexadecimal`).toBe(false)
      expect(text().includes(Buffer.from(value).toString('base64')), `${name} in base64`).toBe(false)
    }
  })

  it('it holds no signature of a token, from which a valid one could be put together', () => {
    for (const [name, value] of secrets) {
      if (value.split('.').length === 3) expect(text().includes(value.split('.')[2] ?? ''), name).toBe(false)
    }
  })
})

describe('the dump', () => {
  it('holds passwords as argon2id alone', async () => {
    const { rows } = await server.database.pool.query<{ password_hash: string }>('SELECT password_hash FROM identity')
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$/)
  })

  it('holds no private key that opens without LATCHKEY_SECRET', () => {
    expect(dump).not.toContain('PRIVATE KEY')
    expect(dump).not.toMatch(/"d"\s*:/)
    // The algorithm identifier at the start of every PKCS #8 RSA key.
    expect(dump).not.toContain(Buffer.from('300d06092a864886f70d01010105000482', 'hex').toString('latin1'))
  })

  it('holds no client secret that could be tried offline without LATCHKEY_SECRET', () => {
    expect(dump).not.toContain(createHash('sha256').update(WEB.secret).digest('hex'))
  })
})

describe('the log', () => {
  it('has a request id, an endpoint and a reason with every refusal', () => {
    for (const { fields } of server.lines) {
      expect(fields).toMatchObject({
        request: expect.any(String),
        endpoint: expect.any(String),
        reason: expect.any(String),
        hint: expect.any(String),
      })
      expect(fields.code ?? fields.event, 'the error, or the event of the audit log').toEqual(expect.any(String))
    }
  })

  it('the log has no unexpected condition', () => {
    expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
