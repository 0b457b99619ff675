// Responses under overload, or while the database is down (threat-model.md DB5, RE4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHasher, type PasswordHasher } from '../../../data/users/password'
import { createWorkQueue } from '../../../kernel/work-queue'
import { cutOff } from '../../../testing/database'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  refresh,
  SPA,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  const hasher = createPasswordHasher({ concurrency: 1, queueLimit: 2, cost })
  server = await testServer({ passwords: { ...hasher, verify: oneAtATime(hasher.verify) } })
  await server.addClient(SPA)
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())

const LOGINS = 10

/** No password is verified before all requests have arrived, so they are concurrent however slowly they arrive. */
function oneAtATime(verify: PasswordHasher['verify']): PasswordHasher['verify'] {
  const queue = createWorkQueue({ concurrency: 1, queueLimit: 2 })
  let requests = 0
  let open = (): void => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return (...given) => {
    requests += 1
    if (requests === LOGINS) open()
    return queue.run(() => all.then(() => verify(...given)))
  }
}

const get = (path: string, query: Record<string, string> = {}) => server.browser().get(path, { query })

describe('more logins than the queue holds', () => {
  it('are refused with Retry-After, and the cheap endpoints answer meanwhile', async () => {
    // Ten at once: one more would count as a burst of guesses on one account.
    const browsers = Array.from({ length: LOGINS }, () => server.browser())
    const states = await Promise.all(browsers.map((browser) => beginLogin(browser)))
    const logins = browsers.map((browser, i) => submitPassword(browser, states[i] ?? '', 'kim@mail.test'))
    expect((await get('/.well-known/jwks.json')).status).toBe(200)
    const answers = await Promise.all(logins)
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThanOrEqual(LOGINS - 3)
    expect(answers.filter(({ status }) => status === 302).length + busy.length).toBe(LOGINS)
    for (const answer of busy) {
      expect(Number(answer.header('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(answer.text).toContain('<!doctype html>')
    }
  })

  it('did not count as failures', async () => {
    const browser = server.browser()
    expect(
      locationOf(await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')).searchParams.has('code'),
    ).toBe(true)
  })
})

describe('while the database is away', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const withoutDatabase = async (work: () => Promise<void>) => {
    const connect = cutOff(server.database.pool, away)
    try {
      await work()
    } finally {
      connect.mockRestore()
    }
  }
  const expectAway = (answer: TestResponse) => {
    expect(answer.status).toBe(503)
    expect(Number(answer.header('retry-after'))).toBeGreaterThan(0)
    expect(answer.text).not.toContain('ECONNREFUSED')
    expect(answer.header('location')).toBeUndefined()
  }

  it('discovery and keys keep answering, requests that need it get 503, and no restart is needed', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    const state = await beginLogin(server.browser())
    await withoutDatabase(async () => {
      server.clock.advance(30)
      expect((await get('/.well-known/jwks.json')).status).toBe(200)
      expect((await get('/.well-known/openid-configuration')).status).toBe(200)
      expectAway(await browser.get('/authorize', { query: authorizeQuery() }))
      expectAway(await refresh(browser, tokens.refresh_token))
      expectAway(await userinfo(browser, tokens.access_token))
      expectAway(await get('/u/login', { state }))
      expectAway(await browser.get('/v2/logout', { query: { client_id: 'spa' } }))
    })
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
    expect((await get('/healthz')).text).toBe('ok')
  })

  it('the failure is not logged as a mistake of the server', () => {
    expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
