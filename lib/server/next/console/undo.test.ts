// The way back from a change in the console: the call that the server proposes, sent as any other form.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clients } from '../../../management/resources/clients'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import type { ConsoleSession } from './entry'
import { shownValues } from './field'
import { fieldsOf } from './form'
import { textsFrom } from './form-values'
import { consoleOf } from './page'
import { type FormPart, type FormState, submitFormOf } from './submit'

let server: TestServer
let manager: Manager
let session: ConsoleSession

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const request = {
    ...{ id: 'test', method: 'POST', path: '/console', params: {}, query: new URLSearchParams(), search: '' },
    ...{ headers: {}, body: new Uint8Array(), ip: '198.51.100.7' },
  }
  const userId = await server.addUser({ email: 'owner@console.test' })
  const runtime = (await server.runtime()).within(request)
  await runtime.administrators.put(userId, 'owner', server.clock.now())
  const administrator = await runtime.administrators.find(userId)
  if (!administrator) throw new Error('There is no administrator')
  session = { runtime, request, administrator, authenticatedAt: server.clock.now() }
})
afterAll(() => server.close())

const MEMBERS = ['description', 'callbacks', 'refresh_token.leeway', 'is_first_party']

async function post(fields: Readonly<Record<string, string | readonly string[]>>): Promise<FormState> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, String(each))
  return submitFormOf(form, session)
}

/** Saves these texts as the form of an application does. */
async function save(id: string, changed: Readonly<Record<string, string>>): Promise<FormState> {
  const { value, tag } = await (await consoleOf(session)).readTagged(clients.read, { params: { id } })
  const was = shownValues(fieldsOf(clients.update, MEMBERS, value))
  const fixed = { _operation: 'clients.update', _here: '/console', _params: JSON.stringify({ id }) }
  return post({ ...fixed, _ifMatch: tag, _was: was, ...textsFrom(was), ...changed })
}

function undo(state: FormState, more: Partial<FormPart> = {}): Promise<FormState> {
  if (state.status !== 'left') throw new Error(JSON.stringify(state))
  const calls = (JSON.parse(state.undo) as FormPart[]).map((call) => ({ ...call, ...more }))
  return post({ _here: '/console', _parts: JSON.stringify(calls) })
}

const add = async () => {
  const members = {
    name: 'Shop',
    app_type: 'spa',
    callbacks: ['https://shop.test/cb'],
    web_origins: ['https://shop.test'],
  }
  return String((await manager.post('/clients', members)).json().client_id)
}
const read = async (id: string) => (await manager.get(`/clients/${id}`)).json()

it('a change is taken back, also of what was not set before', async () => {
  const id = await add()
  const before = await read(id)
  const saved = await save(id, {
    'long:description': 'New',
    'lines:callbacks': 'https://shop.test/cb\nhttps://shop.test/two',
    'switch:is_first_party': 'false',
  })
  expect(await read(id)).toMatchObject({ description: 'New', is_first_party: false })
  expect(await undo(saved)).toMatchObject({ status: 'left' })
  expect(await read(id)).toEqual(before)
})

it('an undo is refused once the object was changed again', async () => {
  const id = await add()
  const saved = await save(id, { 'long:description': 'New' })
  await manager.patch(`/clients/${id}`, { name: 'Store' })
  expect(await undo(saved)).toMatchObject({ status: 'stale' })
  expect(await read(id)).toMatchObject({ name: 'Store', description: 'New' })
})

it('an undo that someone has changed does no more than a form of that person', async () => {
  const id = await add()
  const saved = await save(id, { 'long:description': 'New' })
  expect(await undo(saved, { operation: 'users.import' })).toMatchObject({ status: 'refused' })
  expect(await undo(saved, { body: { client_id: 'another' } })).toMatchObject({ status: expect.any(String) })
  expect(await read(id)).toMatchObject({ client_id: id, description: 'New' })
})
