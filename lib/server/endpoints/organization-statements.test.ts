// What a login for an organization asks of the database more than a plain one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authorizeQuery, beginLogin, locationOf, redeem, refresh, SPA, submitPassword } from '../../testing/journey'
import { organizationsOf } from '../../testing/organizations'
import { statementsOf } from '../../testing/sent-statements'
import { type Browser, type TestServer, testServer } from '../../testing/server'

const MEMBERSHIP = 'organization-is-member'

let server: TestServer
let acme: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  const kim = await server.addUser({ email: 'kim@mail.test' })
  acme = await organizationsOf(server).add('acme', { members: [kim] })
  // Caches fill once.
  await steps({})
  await steps({ organization: acme })
})
afterAll(() => server.close())

/** The statements of each request of a login in a new browser. */
async function steps(extra: Record<string, string>): Promise<Record<string, string[]>> {
  const browser = server.browser()
  const sent: Record<string, string[]> = {}
  const measured = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    let result: T | undefined
    sent[name] = await statementsOf(server.database.pool, async () => {
      result = await work()
    })
    return result as T
  }
  const state = await measured('authorize', () => beginLogin(browser, extra))
  const answer = await measured('submit', () => submitPassword(browser, state, 'kim@mail.test'))
  const tokens = await measured('redeem', () => exchange(browser, locationOf(answer)))
  const again = await measured('single sign-on', () => browser.get('/authorize', { query: authorizeQuery(extra) }))
  expect(locationOf(again).searchParams.get('code')).not.toBeNull()
  const renewed = await measured('refresh', () => refresh(browser, tokens.refresh_token))
  expect(renewed.status).toBe(200)
  return sent
}

async function exchange(browser: Browser, address: URL): Promise<Record<string, unknown>> {
  const answer = await redeem(browser, address.searchParams.get('code') ?? '')
  expect(answer.status).toBe(200)
  return answer.json()
}

it('sends the same statements, and the look-up of the membership where a person is known', async () => {
  const plain = await steps({})
  const organization = await steps({ organization: acme })
  expect(plain.submit).toEqual(['transaction-find', 'attempt-count-guess', 'transaction-finish-known'])
  expect(organization).toEqual({
    ...plain,
    submit: ['transaction-find', 'attempt-count-guess', MEMBERSHIP, 'transaction-finish-known'],
    'single sign-on': [...(plain['single sign-on'] ?? []), MEMBERSHIP],
  })
})
