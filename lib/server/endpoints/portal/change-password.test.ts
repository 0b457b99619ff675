// The well-known address for changing passwords (W3C): where it leads.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

it('leads to the page of the portal, which a visitor enters by the login', async () => {
  const browser = server.browser()
  const answer = await browser.get('/.well-known/change-password')
  expect([answer.status, answer.header('location')]).toEqual([302, 'https://id.test/account/password'])
  const entered = await browser.get('/account/password')
  expect([entered.status, entered.header('location')]).toEqual([302, expect.stringContaining('/u/login')])
})
