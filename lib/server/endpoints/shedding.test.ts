// Load shedding: which requests are refused, in which format, and which never are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmission, type SheddingOrder } from '../../http/admission'
import { type TestServer, testServer } from '../../testing/server'
import { ENDPOINTS } from './index'

it('never sheds what monitors the server and verifies its tokens', () => {
  const never = new Set(Object.values(ENDPOINTS).flatMap(({ name, shed }) => (shed === 'never' ? [name] : [])))
  expect([...never].toSorted()).toEqual([
    'discovery',
    'healthz',
    'jwks',
    'metrics',
    'readyz',
    'samlp.metadata',
    'samlp.sp-metadata',
    'wsfed.metadata',
  ])
})

const ORDERS: readonly SheddingOrder[] = ['first', 'last', 'never']

describe('the order', () => {
  const admit = createAdmission(9)
  const refused = (order: SheddingOrder): boolean => {
    try {
      admit(order)()
      return false
    } catch {
      return true
    }
  }

  it('refuses new logins at a third of the capacity, others at the full capacity, and some requests never', () => {
    const leave = Array.from({ length: 3 }, () => admit('first'))
    expect(ORDERS.map(refused)).toEqual([true, false, false])
    leave.push(...Array.from({ length: 6 }, () => admit('last')))
    expect(ORDERS.map(refused)).toEqual([true, true, false])
    for (const done of leave) done()
    expect(ORDERS.map(refused)).toEqual([false, false, false])
  })
})

describe('a full server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ admit: createAdmission(0) })
    await server.addClient({ clientId: 'app', settings: { app_type: 'spa', callbacks: ['https://app.test/callback'] } })
  })
  afterAll(() => server.close())

  it.each([
    ['GET', '/authorize', 'text/html'],
    ['POST', '/oauth/token', 'application/json'],
    ['GET', '/userinfo', 'application/json'],
    ['POST', '/passwordless/start', 'application/json'],
    ['GET', '/u/login', 'text/html'],
  ])('says 503 and when to come back: %s %s', async (method, path, type) => {
    const browser = server.browser()
    const answer = method === 'GET' ? await browser.get(path) : await browser.post(path, { json: {} })
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('2')
    expect(answer.header('content-type')).toContain(type)
  })

  it.each(['/healthz', '/readyz', '/.well-known/openid-configuration', '/.well-known/jwks.json'])(
    'keeps answering %s',
    async (path) => {
      expect((await server.browser().get(path)).status).toBe(200)
    },
  )
})
