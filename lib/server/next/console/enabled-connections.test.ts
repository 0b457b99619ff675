// Which connections a new application has, and what the page of an application says of them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { applicationChoices, connectionsOf, databaseField, ENABLED } from './enabled-connections'
import type { ConsoleSession } from './entry'
import { consoleOf } from './page'
import { submitFormOf } from './submit'

let server: TestServer
let manager: Manager
let database: string
const sessions = {} as Record<'owner' | 'admin', ConsoleSession>

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const made = await manager.post('/connections', { name: 'Customers', strategy: 'auth0', enabled_clients: [] })
  database = String(made.json().id)
  const request = {
    ...{ id: 'test', method: 'POST', path: '/console', params: {}, query: new URLSearchParams(), search: '' },
    ...{ headers: {}, body: new Uint8Array(), ip: '198.51.100.7' },
  }
  for (const role of ['owner', 'admin'] as const satisfies ConsoleRole[]) {
    const userId = await server.addUser({ email: `${role}@console.test` })
    const runtime = (await server.runtime()).within(request)
    await runtime.administrators.put(userId, role, server.clock.now())
    const administrator = await runtime.administrators.find(userId)
    if (administrator) sessions[role] = { runtime, request, administrator, authenticatedAt: server.clock.now() }
  }
})
afterAll(() => server.close())

/** Makes an application by the form, with these databases ticked; undefined: the form offers none. */
async function made(name: string, ticked: readonly string[] | undefined, role: 'owner' | 'admin' = 'owner') {
  const form = new FormData()
  const body = JSON.stringify({ app_type: 'spa', name })
  for (const [key, value] of Object.entries({ _here: '/console', _operation: 'clients.create', _body: body }))
    form.set(key, value)
  for (const each of ticked === undefined ? [] : ['', ...ticked]) form.append(`choices:${ENABLED}`, each)
  expect(await submitFormOf(form, sessions[role])).toMatchObject({ status: 'left' })
  const [client] = (await manager.get(`/clients?name_filter=${encodeURIComponent(name)}`)).json() as never as {
    client_id: string
    grant_types: string[]
  }[]
  if (!client) throw new Error('The application was not made')
  return client
}

const connectionsFor = async (client: Awaited<ReturnType<typeof made>>) =>
  (await connectionsOf(client, await consoleOf(sessions.owner)))?.map(({ name }) => name)

it('offers the databases to who may enable them, all ticked', async () => {
  const field = await databaseField(await consoleOf(sessions.owner))
  expect(field?.options).toContainEqual({ value: database, label: 'Customers' })
  expect(field?.value).toEqual(field?.options.map(({ value }) => value))
  expect(await databaseField(await consoleOf(sessions.admin))).toBeNull()
})

it('enables the ticked databases for a new application, and no others', async () => {
  expect(await connectionsFor(await made('Ticked', [database]))).toEqual(['Customers'])
  expect(await connectionsFor(await made('Unticked', []))).toEqual([])
  expect(await connectionsFor(await made('Not offered', undefined))).not.toContain('Customers')
})

it('enables nothing for who may not, and makes the application', async () => {
  expect(await connectionsFor(await made('By an admin', [database], 'admin'))).not.toContain('Customers')
})

it('says nothing of the connections of an application that signs no user in', async () => {
  const console = await consoleOf(sessions.owner)
  expect(await connectionsOf({ client_id: 'any', grant_types: ['client_credentials'] }, console)).toBeNull()
})

it('names the applications that a connection can be enabled for', async () => {
  const { client_id } = await made('By its name', [])
  expect(await applicationChoices(await consoleOf(sessions.owner))).toContainEqual({
    value: client_id,
    label: 'By its name',
  })
})
