import { afterAll, beforeAll, expect, it } from 'vitest'
import { SPA, signInForTokens } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { accountsOf, endsWithPerson, grantsOf, holdersOf, membersOf } from './affected'
import type { ConsoleSession } from './entry'
import { type Console, consoleOf } from './page'

let server: TestServer
let manager: Manager
let console: Console

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const request = {
    ...{ id: 'test', method: 'GET', path: '/console', params: {}, query: new URLSearchParams(), search: '' },
    ...{ headers: {}, body: new Uint8Array(), ip: '198.51.100.7' },
  }
  const userId = await server.addUser({ email: 'owner@console.test' })
  const runtime = (await server.runtime()).within(request)
  await runtime.administrators.put(userId, 'owner', server.clock.now())
  const administrator = await runtime.administrators.find(userId)
  if (!administrator) throw new Error('There is no administrator')
  const session: ConsoleSession = { runtime, request, administrator, authenticatedAt: server.clock.now() }
  console = await consoleOf(session)
})
afterAll(() => server.close())

it('a deletion says how many people hold the role, and are members of the organization', async () => {
  const role = String((await manager.post('/roles', { name: 'Pilot' })).json().id)
  const organization = String((await manager.post('/organizations', { name: 'harbour' })).json().id)
  expect(await holdersOf(role, console)).toEqual([])
  expect(await membersOf(organization, console)).toEqual([])
  const people = [await server.addUser({ email: 'a@people.test' }), await server.addUser({ email: 'b@people.test' })]
  await manager.post(`/roles/${role}/users`, { users: people.slice(0, 1) })
  await manager.post(`/organizations/${organization}/members`, { members: people })
  expect(await holdersOf(role, console)).toEqual(['This affects 1 person, who holds the role.'])
  expect(await membersOf(organization, console)).toEqual(['This affects 2 people, who are members.'])
})

it('a deletion says how many accounts a connection has, and how many grants end', async () => {
  expect((await manager.post('/connections', { name: 'Crew', strategy: 'auth0' })).status).toBe(201)
  for (const name of ['a', 'b']) {
    const user = { connection: 'Crew', email: `${name}@crew.test`, password: 'a quiet harbour in winter' }
    expect((await manager.post('/users', user)).status).toBe(201)
  }
  expect(await accountsOf('Crew', console)).toEqual(['This affects 2 people, whose accounts are deleted with it.'])
  expect(await accountsOf('no "such" connection', console)).toEqual([])
  const client_id = String(
    (await manager.post('/clients', { name: 'Machine', app_type: 'non_interactive' })).json().client_id,
  )
  await manager.post('/resource-servers', { name: 'Ships', identifier: 'urn:ships', scopes: [{ value: 'read' }] })
  await manager.post('/client-grants', { client_id, audience: 'urn:ships', scope: ['read'] })
  for (const filter of [{ client_id }, { audience: 'urn:ships' }])
    expect(await grantsOf(filter, console)).toEqual(['1 client grant ends with it.'])
})

it('a deletion says which sessions and refresh tokens end, and how many organizations a person leaves', async () => {
  await server.addClient(SPA)
  const id = await server.addUser({ email: 'leaves@people.test' })
  expect(await endsWithPerson(id, console)).toEqual([])
  await signInForTokens(server.browser(), 'leaves@people.test', { scope: 'openid offline_access' })
  await signInForTokens(server.browser(), 'leaves@people.test', { scope: 'openid offline_access' })
  const organization = String((await manager.post('/organizations', { name: 'leaving' })).json().id)
  await manager.post(`/organizations/${organization}/members`, { members: [id] })
  expect(await endsWithPerson(id, console)).toEqual([
    '2 sessions end with the account.',
    '2 refresh tokens end with the account.',
    'The person leaves 1 organization.',
  ])
})

it('a person who may not read the list sees no number', async () => {
  const closed = { ...console, may: () => false }
  const none = await Promise.all([
    holdersOf('a', closed),
    membersOf('a', closed),
    accountsOf('a', closed),
    grantsOf({ client_id: 'a' }, closed),
    endsWithPerson('a', closed),
  ])
  expect(none.flat()).toEqual([])
})
