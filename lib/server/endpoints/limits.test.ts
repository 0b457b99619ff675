// The contract's "Limits" at every endpoint, and over two instances (threat-model.md RL5, RE8).
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openRedis } from '../../adapters/store/redis/client'
import { limitOf } from '../../http/endpoint'
import { systemClock } from '../../kernel/clock'
import { parseRedisUrl } from '../../settings/redis-address'
import { SPA, signInForTokens, userinfo, WEB, webCredentials } from '../../testing/journey'
import { hasRedis, testRedis } from '../../testing/redis'
import { inProcess, PASSWORD, type TestResponse, type TestServer, testServer } from '../../testing/server'
import { openBuckets } from '../runtime/buckets'
import { ENDPOINTS } from './index'

let latchkey: TestServer
const quiet = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

beforeAll(async () => {
  latchkey = await testServer()
  await latchkey.addClient(SPA)
  await latchkey.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['password', 'refresh_token'] } })
  await latchkey.addUser({ email: 'kim@mail.test' })
})
afterAll(() => latchkey.close())

const standing = (answer: TestResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => answer.header(`x-ratelimit-${name}`) ?? 'none')
const remaining = (answer: TestResponse): number => Number(answer.header('x-ratelimit-remaining'))

/** Disables all limits except the named ones. */
const limitTo = async (limits: Record<string, { burst: number; per_minute: number } | false>): Promise<void> => {
  await latchkey.setTenant({ tenant: { rate_limits: limits } })
  latchkey.clock.advance(2)
}

describe('every answer of a limited endpoint', () => {
  const calls = Object.entries(ENDPOINTS).flatMap(([path, endpoint]) =>
    [...Object.keys(endpoint.methods), 'PUT', 'HEAD'].map((method) => ({
      path,
      method,
      limit: limitOf(endpoint, method),
    })),
  )

  it.each(calls)('says how its limit stands: $method $path', async ({ path, method, limit }) => {
    const at = latchkey.browser({ ip: '192.0.2.77' })
    const answer = await at.send(method, path.replace(/:\w+/g, 'x'))
    expect(answer.headers.filter(([header]) => header === 'x-ratelimit-remaining').length).toBe(limit === null ? 0 : 1)
    if (limit === null) return
    for (const value of standing(answer)) expect(value).toMatch(/^\d+$/)
    const reset = Number(answer.header('x-ratelimit-reset')) - latchkey.clock.now().getTime() / 1000
    expect(reset).toBeGreaterThanOrEqual(0)
    expect(reset).toBeLessThan(86_400)
  })

  it('a preflight shows no limit and counts nothing', async () => {
    const at = latchkey.browser({ ip: '192.0.2.78' })
    expect(standing(await at.send('OPTIONS', '/oauth/token'))).toEqual(['none', 'none', 'none'])
    expect(remaining(await at.get('/.well-known/jwks.json'))).toBe(1199)
    expect(remaining(await at.get('/.well-known/jwks.json'))).toBe(1198)
  })

  it('may be read by pages of other origins', async () => {
    const answer = await latchkey.browser().get('/.well-known/jwks.json', { headers: { origin: 'https://app.test' } })
    expect(answer.header('access-control-expose-headers')).toContain('x-ratelimit-remaining')
  })
})

describe('a refusal speaks the surface’s own format', () => {
  const ONE = { burst: 1, per_minute: 1 }
  const SENTENCE =
    'Too many requests. Check the X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset headers.'

  const refused = async (method: string, path: string): Promise<TestResponse> => {
    await limitTo({ authorize: ONE, unproven: ONE, metadata: ONE, pages: ONE, signup: ONE })
    const at = latchkey.browser({ ip: '192.0.2.80' })
    await at.send(method, path)
    const answer = await at.send(method, path)
    latchkey.clock.advance(600)
    await limitTo({})
    expect(answer.status).toBe(429)
    expect(answer.header('retry-after')).toBe('60')
    expect(standing(answer).slice(0, 2)).toEqual(['1', '0'])
    return answer
  }

  it.each([
    ['GET', '/userinfo'],
    ['POST', '/oauth/token'],
    ['GET', '/.well-known/openid-configuration'],
  ])('the refusal is JSON at %s %s', async (method, path) => {
    expect((await refused(method, path)).json()).toEqual({ error: 'too_many_requests', error_description: SENTENCE })
  })

  it('the database endpoints refuse in their own JSON', async () => {
    expect((await refused('POST', '/dbconnections/signup')).json()).toMatchObject({
      code: 'too_many_requests',
      description: SENTENCE,
      statusCode: 429,
      error: 'too_many_requests',
    })
  })

  it('the Management API refuses in its own JSON', async () => {
    expect((await refused('GET', '/api/v2/users/auth0|x')).json()).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: SENTENCE,
      errorCode: 'too_many_requests',
    })
  })

  it.each(['/authorize', '/u/login'])('the refusal at %s is a page that leads nowhere', async (path) => {
    const answer = await refused('GET', path)
    expect(answer.text).toContain('<!doctype html>')
    expect(answer.header('location')).toBeUndefined()
  })

  it('the refusal is logged by the name of its limit', () => {
    expect(latchkey.lines.map(({ fields }) => [fields.code, fields.detail])).toContainEqual([
      'too_many_requests',
      'authorize',
    ])
  })
})

describe('whose bucket it is', () => {
  it('is not charged to a user or client that is only claimed', async () => {
    const stranger = latchkey.browser({ ip: '192.0.2.90' })
    await limitTo({ token: { burst: 3, per_minute: 1 }, unproven: { burst: 2, per_minute: 1 } })
    const ask = (secret?: string) =>
      stranger.post('/oauth/token', {
        form: { grant_type: 'refresh_token', refresh_token: 'x', ...webCredentials(secret) },
      })
    for (let i = 0; i < 5; i++) await ask('wrong')
    expect((await ask('wrong')).status).toBe(429)
    const own = await ask()
    expect([own.status, ...standing(own).slice(0, 2)]).toEqual([403, '3', '2'])
    await limitTo({})
  })

  it('is the network’s for every address of an IPv6 network', async () => {
    const first = await latchkey.browser({ ip: '2001:db8:1:2::1' }).get('/v2/logout')
    const second = await latchkey.browser({ ip: '2001:db8:1:2:ffff::9' }).get('/v2/logout')
    expect(remaining(first) - remaining(second)).toBe(1)
  })

  it('is charged to the user’s address that a trusted server reports', async () => {
    const settings = { ...WEB.settings, is_token_endpoint_ip_header_trusted: true }
    await latchkey.addClient({ ...WEB, clientId: 'trusted', settings })
    const start = async (clientId: string, secret: string, address: string) => {
      const json = { client_id: clientId, client_secret: secret, connection: 'email', email: 'kim@mail.test' }
      const headers = { 'auth0-forwarded-for': address }
      return standing(
        await latchkey.browser({ ip: '192.0.2.92' }).post('/passwordless/start', { json, headers }),
      ).slice(0, 2)
    }
    expect(await start('trusted', WEB.secret, '198.51.100.21')).toEqual(['50', '49'])
    expect(await start('trusted', WEB.secret, '198.51.100.22')).toEqual(['50', '49'])
    expect(await start('web', WEB.secret, '198.51.100.23')).toEqual(['50', '49'])
    expect(await start('web', WEB.secret, '198.51.100.24')).toEqual(['50', '48'])
    expect(await start('trusted', 'wrong', '198.51.100.25')).toEqual(['1200', '1199'])
  })

  it('is not moved by a header that claims another address (threat-model.md RL3)', async () => {
    const at = latchkey.browser({ ip: '192.0.2.91' })
    const seen: number[] = []
    for (const name of [
      'x-forwarded-for',
      'forwarded',
      'x-real-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'auth0-forwarded-for',
    ])
      seen.push(remaining(await at.get('/v2/logout', { headers: { [name]: '8.8.8.8' } })))
    expect(seen).toEqual([599, 598, 597, 596, 595, 594])
  })
})

describe('one account’s logins from one network', () => {
  it('are twenty at a time and ten a minute, including correct ones, per account and network', async () => {
    const clock = latchkey.clock
    const throttled = latchkey.instance({ buckets: inProcess(clock) })
    const logIn = (username: string, ip: string, password = PASSWORD) =>
      throttled.browser({ ip }).post('/oauth/token', {
        form: { grant_type: 'password', username, password, scope: 'openid', ...webCredentials() },
      })
    await latchkey.setTenant({ tenant: { default_directory: 'Users' } })
    clock.advance(2)
    for (let i = 0; i < 20; i++) expect((await logIn('kim@mail.test', '192.0.2.95')).status).toBe(200)
    for (const password of [PASSWORD, 'wrong']) {
      const answer = await logIn('kim@mail.test', '192.0.2.95', password)
      expect([answer.status, answer.json().error, answer.header('retry-after')]).toEqual([
        429,
        'too_many_requests',
        '6',
      ])
      expect(standing(answer).slice(0, 2)).toEqual(['20', '0'])
    }
    expect((await logIn('kim@mail.test', '192.0.2.96')).status).toBe(200)
    expect((await logIn('lee@mail.test', '192.0.2.95')).status).toBe(403)
    clock.advance(6)
    expect((await logIn('kim@mail.test', '192.0.2.95')).status).toBe(200)
    expect((await logIn('kim@mail.test', '192.0.2.95')).status).toBe(429)
  })
})

/** Both instances send requests at once; exactly the bucket's size is allowed, and no remaining count is reported twice. */
async function exactOver(instances: Pick<TestServer, 'browser'>[]): Promise<void> {
  await limitTo({ userinfo: { burst: 40, per_minute: 0.01 } })
  const browser = latchkey.browser()
  const { access_token } = await signInForTokens(browser, 'kim@mail.test')
  const asks = Array.from({ length: 120 }, (_, i) => userinfo(instances[i % 2]?.browser() ?? browser, access_token))
  const answers = await Promise.all(asks)
  const allowed = answers.filter(({ status }) => status === 200)
  expect(allowed.map(remaining).toSorted((a, b) => b - a)).toEqual(Array.from({ length: 40 }, (_, i) => 39 - i))
  expect(answers.filter(({ status }) => status === 429).map(remaining)).toEqual(Array(80).fill(0))
}

describe('over two instances', () => {
  // A slow store must not be abandoned here: counts of a fallback would come on top.
  const bucketsOn = (redis?: ReturnType<typeof openRedis>) =>
    openBuckets({
      redis,
      pool: latchkey.database.pool,
      vault: latchkey.vault,
      clock: systemClock,
      log: quiet,
      patienceMs: 20_000,
    })

  it('limits are exact on one PostgreSQL', () =>
    exactOver([latchkey.instance({ buckets: bucketsOn() }), latchkey.instance({ buckets: bucketsOn() })]))

  it.skipIf(!hasRedis())('limits are exact on one Redis', async () => {
    const server = await testRedis()
    onTestFinished(() => server.close())
    const address = parseRedisUrl(server.url)
    if (!address) throw new Error('no address')
    const clients = [0, 1].map(() => openRedis(address, { log: quiet, commandMs: 20_000 }))
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))))
    await Promise.all(clients.map((client) => client.settled(5000)))
    await exactOver(clients.map((client) => latchkey.instance({ buckets: bucketsOn(client) })))
  })
})
