// The tenant file at the start of the README, applied and used for a login.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { beginLogin, locationOf, submitPassword } from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'
import { applyText } from '../../../testing/tenant-file'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

it('lets Kim sign in to the application of the README', async () => {
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8')
  const text = /```yaml\n(# tenant\.yaml\n[\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const plan = await applyText(server, FIRST_TENANT, text, { MY_WEB_APP_SECRET: 'a secret of the web application' })
  expect(plan.notApplied).toEqual([])
  const browser = server.browser()
  const state = await beginLogin(browser, { client_id: 'my-spa', redirect_uri: 'http://localhost:5173' })
  const answer = locationOf(await submitPassword(browser, state, 'kim@example.com', 'correct horse battery staple'))
  expect(answer.origin).toBe('http://localhost:5173')
  expect(answer.searchParams.get('code')).toEqual(expect.any(String))
})
