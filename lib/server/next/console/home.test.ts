// The first page: what each role sees of it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { requestTo } from '../../../testing/console-sign-in'
import { addManager, type Manager } from '../../../testing/management'
import { logIn, MFA_WEB } from '../../../testing/mfa'
import { type TestServer, testServer } from '../../../testing/server'
import { failuresToday, readAttention, readFirstSteps } from './home'
import { consoleOf } from './page'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  manager = await addManager(server)
})
afterAll(() => server.close())

async function consoleFor(role: ConsoleRole) {
  const request = requestTo('/console')
  const runtime = (await server.runtime()).within(request)
  const id = await server.addUser({ email: `${server.random.hex(6)}@example.com` })
  await runtime.administrators.put(id, role, server.clock.now())
  const administrator = await runtime.administrators.find(id)
  if (!administrator) throw new Error(`no ${role}`)
  return consoleOf({ runtime, request, administrator, authenticatedAt: server.clock.now() })
}

it('refused logins that rise, and blocked people, need attention', async () => {
  const owner = await consoleFor('owner')
  expect(await readAttention(owner)).toEqual([])
  const email = `${server.random.hex(6)}@example.com`
  const id = await server.addUser({ email })
  for (let turn = 0; turn < 25; turn += 1)
    await logIn(server.browser({ ip: `2001:db8:${turn + 1}::1` }), `none${turn}@example.com`)
  await server.audited()
  await manager.patch(`/users/${encodeURIComponent(id)}`, { blocked: true })
  const found = await readAttention(await consoleFor('owner'))
  expect(found.map(({ href }) => href)).toEqual([
    '/console/logs?show=failures&since=24h',
    '/console/users?q=blocked%3Atrue',
  ])
  expect(Number(await failuresToday(await consoleFor('auditor')))).toBeGreaterThanOrEqual(25)
})

it('a role sees of the home what it may read', async () => {
  const editor = await consoleFor('application_editor')
  expect(await failuresToday(editor)).toBeNull()
  expect(await readAttention(editor)).toEqual([])
  expect((await readFirstSteps(editor)).map(({ href }) => href)).not.toContain('/console/users/new')
})

it('the first steps are done once what they make is there', async () => {
  const steps = await readFirstSteps(await consoleFor('owner'))
  expect(Object.fromEntries(steps.map(({ href, done }) => [href, done]))).toMatchObject({
    '/console/applications/new': true,
    '/console/users/new': true,
    '/console/providers': false,
    '/console/settings/domains': false,
    '/console/administrators': true,
    '/console/security/factors': false,
  })
})
