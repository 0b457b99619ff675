// A form of the console changes some members of an object, whatever else the object has.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callOperation } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import type { ConsoleSession } from './entry'
import { contextOf } from './entry'
import { submitFormOf } from './submit'
import { withWholeObjects } from './whole-objects'

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

const NAMED = 'text:default_organization.organization_id'
const FLOWS = 'choices:default_organization.flows'

async function add(body: Record<string, unknown>): Promise<string> {
  return String((await manager.post('/clients', { name: 'Shop', app_type: 'regular_web', ...body })).json().client_id)
}

async function save(id: string, was: Record<string, string>, now: Record<string, string>): Promise<void> {
  const form = new FormData()
  const fixed = { _operation: 'clients.update', _here: '/console', _params: JSON.stringify({ id }) }
  for (const [name, value] of Object.entries({ ...fixed, _was: JSON.stringify(was), ...now })) form.set(name, value)
  const answer = await submitFormOf(form, session)
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 'left' })
}

const read = async (id: string) => (await manager.get(`/clients/${id}`)).json()

it('a member that has no control in the form stays, beside one that was changed', async () => {
  const id = await add({ refresh_token: { leeway: 5, infinite_token_lifetime: true } })
  await save(id, { 'number:refresh_token.leeway': '5' }, { 'number:refresh_token.leeway': '20' })
  expect((await read(id)).refresh_token).toMatchObject({ leeway: 20, infinite_token_lifetime: true })
})

it('the settings of one protocol stay where those of another are changed', async () => {
  const id = await add({ addons: { samlp: { audience: 'urn:shop' }, wsfed: { tokenType: 'jwt' } } })
  await save(id, { 'text:addons.samlp.audience': 'urn:shop' }, { 'text:addons.samlp.audience': 'urn:store' })
  expect((await read(id)).addons).toMatchObject({ samlp: { audience: 'urn:store' }, wsfed: { tokenType: 'jwt' } })
})

it('a switch without a change is not set beside another member of its object', async () => {
  const id = await add({})
  const was = { 'text:addons.samlp.audience': '', 'switch:addons.samlp.createUpnClaim': '' }
  await save(id, was, { 'text:addons.samlp.audience': 'urn:shop', 'switch:addons.samlp.createUpnClaim': 'false' })
  expect((await read(id)).addons).toEqual({ samlp: expect.objectContaining({ audience: 'urn:shop' }) })
  expect(JSON.stringify((await read(id)).addons)).not.toContain('"createUpnClaim":false')
})

it('a control that was emptied unsets its member alone', async () => {
  const id = await add({ addons: { samlp: { audience: 'urn:shop', issuer: 'urn:us' } } })
  await save(id, { 'text:addons.samlp.audience': 'urn:shop' }, { 'text:addons.samlp.audience': '' })
  const { samlp } = (await read(id)).addons as Record<string, Record<string, unknown>>
  expect(samlp).toMatchObject({ issuer: 'urn:us' })
  expect(samlp).not.toHaveProperty('audience')
})

it('a secret of a connection stays where another option is changed, and does not reach the form', async () => {
  const secret = 'a secret of the provider'
  const options = { issuer: 'https://idp.test', client_id: 'a', client_secret: secret }
  const id = String((await manager.post('/connections', { name: 'provider', strategy: 'oidc', options })).json().id)
  const stored = async () =>
    (await server.database.pool.query(`SELECT settings->'options' AS options FROM connection WHERE id = $1`, [id]))
      .rows[0]?.options
  const before = await stored()
  const body = await withWholeObjects(
    connections.update,
    { id },
    { options: { client_id: 'b' } },
    await contextOf(session),
  )
  expect(body).toMatchObject({ options: { client_id: 'b', issuer: 'https://idp.test' } })
  expect(JSON.stringify(body)).not.toContain(secret)
  await callOperation(connections.update, { params: { id }, body: body as never }, await contextOf(session))
  expect(await stored()).toEqual({ ...before, client_id: 'b' })
})

it('an object that does not exist adds nothing', async () => {
  const body = { refresh_token: { leeway: 20 } }
  expect(await withWholeObjects(clients.update, { id: 'nothing' }, body, await contextOf(session))).toEqual(body)
})

it('a name that was taken out of metadata is gone, whether the operation merges it or replaces it', async () => {
  const organization = String(
    (await manager.post('/organizations', { name: 'harbour', metadata: { plan: 'gold', port: 'north' } })).json().id,
  )
  const user = await server.addUser({ email: 'metadata@console.test' })
  await manager.patch(`/users/${encodeURIComponent(user)}`, { user_metadata: { plan: 'gold', port: 'north' } })
  const post = async (operation: string, id: string, was: object, now: Record<string, string>) => {
    const form = new FormData()
    const fixed = {
      _operation: operation,
      _here: '/console',
      _params: JSON.stringify({ id }),
      _was: JSON.stringify(was),
    }
    for (const [name, value] of Object.entries({ ...fixed, ...now })) form.set(name, value)
    const answer = await submitFormOf(form, session)
    expect(answer, JSON.stringify(answer)).toMatchObject({ status: 'left' })
  }
  const pair = (place: number, name: string, value: string) => ({
    [`text:metadata.#${place}.#name`]: name,
    [`text:metadata.#${place}.#value`]: value,
  })
  const was = { 'pairs:metadata': [''], ...pair(0, 'plan', 'gold'), ...pair(1, 'port', 'north') }
  await post('organizations.update', organization, was, { 'pairs:metadata': '', ...pair(0, 'port', 'south') })
  expect((await manager.get(`/organizations/${organization}`)).json().metadata).toEqual({ port: 'south' })
  const json = 'json:user_metadata'
  await post('users.update', user, { [json]: '{"plan":"gold","port":"north"}' }, { [json]: '{"port":"south"}' })
  expect((await manager.get(`/users/${encodeURIComponent(user)}`)).json().user_metadata).toEqual({ port: 'south' })
})

it('an object that cannot be empty is unset with what was in it', async () => {
  const { id: organization_id } = (await manager.post('/organizations', { name: 'unset-later' })).json()
  const id = await add({ default_organization: { organization_id, flows: ['client_credentials'] } })
  const was = { [NAMED]: String(organization_id), [FLOWS]: 'client_credentials' }
  await save(id, was, { [NAMED]: '', [FLOWS]: '' })
  expect((await read(id)).default_organization).toBeUndefined()
})
