// A form of the console that someone has changed: which operations it calls, and what it shows of an answer.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../management'
import { CONSOLE_ROLES, type ConsoleRole } from '../../../management/operations/console-roles'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import type { ConsoleSession } from './entry'
import { type FormState, submitFormOf } from './submit'

let server: TestServer
let manager: Manager
const sessions = {} as Record<ConsoleRole, ConsoleSession>

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const request = {
    ...{ id: 'test', method: 'POST', path: '/console', params: {}, query: new URLSearchParams(), search: '' },
    ...{ headers: {}, body: new Uint8Array(), ip: '198.51.100.7' },
  }
  for (const role of CONSOLE_ROLES) {
    const userId = await server.addUser({ email: `${role}@console.test` })
    const runtime = (await server.runtime()).within(request)
    await runtime.administrators.put(userId, role, server.clock.now())
    const administrator = await runtime.administrators.find(userId)
    if (administrator) sessions[role] = { runtime, request, administrator, authenticatedAt: server.clock.now() }
  }
})
afterAll(() => server.close())

/** What the form shows, or that it leads to another page. */
async function submitted(
  role: ConsoleRole,
  fields: Readonly<Record<string, string>>,
): Promise<FormState | 'next page'> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ _here: '/console', ...fields })) form.set(name, value)
  const state = await submitFormOf(form, sessions[role])
  return state.status === 'left' ? 'next page' : state
}

const paramsFor = (path: string): string =>
  JSON.stringify(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'any'])))

const named = (name: string) => OPERATIONS.find((each) => each.name === name)
const REFUSED = { status: 'refused', message: 'The console has no form for this.' }

describe.each(CONSOLE_ROLES)('in the hands of a person with the role %s', (role) => {
  it.each(OPERATIONS.filter((each) => !each.console).map(({ name, path }) => [name, path]))(
    'calls no operation without a form: %s',
    async (name, path) => {
      expect(await submitted(role, { _operation: name, _params: paramsFor(path), _reveal: 'id' })).toMatchObject(
        REFUSED,
      )
    },
  )
})

describe('the answer to a form', () => {
  it('the page shows no member that the form names', async () => {
    const made = await submitted('owner', { _operation: 'roles.create', _body: '{"name":"New"}', _reveal: 'id' })
    expect(made).toBe('next page')
    const id = String((await manager.post('/clients', { name: 'Kept' })).json().client_id)
    const update = { _operation: 'clients.update', _params: JSON.stringify({ id }), _body: '{"description":"a"}' }
    for (const _reveal of ['client_secret', 'client_id', 'name'])
      expect(await submitted('owner', { ...update, _reveal })).toBe('next page')
  })

  it('the page shows a secret that the operation made', async () => {
    const made = await submitted('application_editor', { _operation: 'clients.create', _body: '{"name":"A"}' })
    expect(made).toMatchObject({ status: 'done', revealed: expect.stringMatching(/^[\w-]{64}$/) })
    const userId = await server.addUser({ email: 'somebody@console.test' })
    const body = { _operation: 'tickets.password_change', _body: JSON.stringify({ user_id: userId }) }
    expect(await submitted('user_support', body)).toMatchObject({
      status: 'done',
      revealed: expect.stringContaining('ticket='),
    })
  })
})

describe('the forms of the console', () => {
  const folder = new URL('../../../../app/console/', import.meta.url)
  const written = new Set<string>()
  /** Of a resource that a section or a list of panels names as a whole. */
  const generated = new Set<string>()

  beforeAll(async () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = new URL(name, folder)
      const source = readFileSync(file, 'utf8')
      const areas: Record<string, unknown> = {}
      for (const [, path = ''] of source.matchAll(/from '([./]*lib\/management\/(?:resources|jobs)\/[\w-]+)'/g))
        Object.assign(areas, await import(/* @vite-ignore */ new URL(`${path}.ts`, file).pathname))
      // Undefined for what a part gets by its props.
      const at = (reference: string): unknown =>
        reference.split('.').reduce<unknown>((area, key) => (area as Record<string, unknown> | undefined)?.[key], areas)
      const add = (names: Set<string>, operation: unknown) =>
        typeof operation === 'object' && operation !== null && 'name' in operation && names.add(String(operation.name))
      for (const [, reference = ''] of source.matchAll(/operation(?:=\{|: )(\w+(?:\.\w+)+)/g))
        add(written, at(reference))
      for (const [, reference = ''] of source.matchAll(/: (\w+(?:\.\w+)*),?$/gm))
        for (const kind of ['create', 'update', 'delete']) add(generated, at(`${reference}.${kind}`))
    }
  })

  it('name operations that are declared for them', () => {
    const changes = [...written].filter((name) => named(name)?.method !== 'GET')
    expect(changes.length).toBeGreaterThan(40)
    expect(changes.filter((name) => !named(name)?.console)).toEqual([])
  })

  it('are all that operations are declared for', () => {
    const declared = OPERATIONS.filter((each) => each.console).map(({ name }) => name)
    expect(declared.filter((name) => !written.has(name) && !generated.has(name))).toEqual([])
  })
})

describe('a refused form', () => {
  const about = (id: string, more: object = {}) => ({ _params: JSON.stringify({ id }), _body: JSON.stringify(more) })
  const idOf = (role: ConsoleRole): string => sessions[role].administrator.userId
  const says = (message: string) => ({ status: 'refused', message, field: null, sent: '{}' })

  it('a refused form says that rights are missing, without the scopes', async () => {
    const above = says('Nothing was changed: this is about rights over the server that your role does not include.')
    const block = { _operation: 'users.update', ...about(idOf('owner'), { blocked: true }) }
    for (const role of ['user_support', 'admin'] as const) expect(await submitted(role, block)).toEqual(above)
    const scope = says('Nothing was changed: your role does not include this.')
    expect(await submitted('auditor', block)).toEqual(scope)
    expect(await submitted('admin', { _operation: 'signing_keys.rotate' })).toEqual(scope)
  })

  it('a refused form says that this role gives no rights', async () => {
    const id = await server.addUser({ email: 'given@console.test' })
    const give = { _operation: 'users.update', ...about(id, { app_metadata: { plan: 'free' } }) }
    expect(await submitted('user_support', give)).toEqual(says('This role gives and takes no rights at applications.'))
    expect(await submitted('admin', give)).toBe('next page')
  })

  it('a refused form says that an owner has to remain, whatever would end that', async () => {
    const last = says(
      'This would leave no owner of the console who can sign in. Make another administrator an owner first.',
    )
    const owner = about(idOf('owner'))
    for (const form of [
      { _operation: 'users.update', ...about(idOf('owner'), { blocked: true }) },
      { _operation: 'users.delete', ...owner },
      { _operation: 'administrators.update', ...about(idOf('owner'), { role: 'auditor' }) },
      { _operation: 'administrators.delete', ...owner },
    ])
      expect(await submitted('owner', form)).toEqual(last)
  })
})
