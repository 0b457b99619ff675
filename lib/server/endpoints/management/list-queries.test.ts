// The parameters of reads, by the vendor's description of its API, from which its SDK is generated: each is applied or refused, because
// an ignored filter answers more than was asked for.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../management'
import { NEUTRAL } from '../../../management/operations/member-access'
import type { Operation } from '../../../management/operations/operation'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>
type AnyOperation = (typeof OPERATIONS)[number]

const SDK = join(dirname(createRequire(import.meta.url).resolve('auth0-management')), 'management/api/resources')
const END = /handleNonStatusCodeError\)\(_response\.error, _response\.rawResponse, "(\w+)", "([^"]+)"\)/g

const shapeOf = (path: string): string => path.replace(/\{[^}]+\}|:\w+/g, ':')

/** Each operation that exists here too, with the names of its parameters there. */
const SHARED = (readdirSync(SDK, { recursive: true }) as string[])
  .filter((file) => file.endsWith('client/Client.js'))
  .flatMap((file) => {
    const text = readFileSync(join(SDK, file), 'utf8')
    let begin = 0
    return [...text.matchAll(END)].flatMap(({ 0: end, 1: method, 2: path = '', index }) => {
      const source = text.slice(begin, index)
      begin = index + end.length
      const given = [...source.matchAll(/_queryParams = \{([^}]*)\};/g)].at(-1)?.[1] ?? ''
      const names = [...given.matchAll(/^\s*"?([\w.-]+)"?\s*[:,]/gm)].map(([, name = '']) => name)
      const own = OPERATIONS.find((each) => each.method === method && shapeOf(each.path) === shapeOf(path))
      return own && names.length > 0 ? [{ name: own.name, own, names }] : []
    })
  })

const takesAll = ({ query }: AnyOperation): boolean => query?.def.catchall !== undefined
const declares = ({ query }: AnyOperation, name: string): boolean =>
  query !== undefined && Object.hasOwn(query.shape, name)

/** What a request for a list may say of its order or its engine, or must say, is no filter. */
const NO_FILTERS = new Set([
  'sort',
  'search_engine',
  'primary_order',
  'consider_brute_force_enablement',
  'owner_id',
  'from',
  'to',
])

let server: TestServer
let manager: Manager
const ids: Record<string, string> = { '/actions/triggers': 'post-login' }

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const created = async (path: string, body: Body): Promise<Body> => {
    const answer = await manager.post(path, body)
    expect([path, answer.status, answer.text]).toEqual([path, 201, answer.text])
    return answer.json()
  }
  for (const name of ['one', 'two']) {
    const { client_id } = await created('/clients', { name, app_type: 'non_interactive' })
    const { identifier } = await created('/resource-servers', { identifier: `https://${name}.test` })
    const grant = await created('/client-grants', {
      client_id,
      audience: identifier,
      scope: [],
      organization_usage: 'allow',
    })
    const role = await created('/roles', { name })
    const code = 'exports.onExecutePostLogin = async () => {}'
    const triggers = [{ id: 'post-login', version: 'v3' }]
    const action = await created('/actions/actions', { name, supported_triggers: triggers, code })
    if (name === 'one') await manager.send('POST', `/actions/actions/${action.id}/deploy`)
    const connection = await created('/connections', { name, strategy: 'auth0', enabled_clients: [client_id] })
    const organization = await created('/organizations', { name })
    const user = await created('/users', { connection: name, email: `${name}@mail.test`, password: 'a long Passw0rd!' })
    const of = ids['/organizations'] ?? String(organization.id)
    await created(`/organizations/${of}/connections`, { connection_id: connection.id })
    await created(`/organizations/${of}/client-grants`, { grant_id: grant.id })
    await manager.post(`/organizations/${of}/members`, { members: [user.user_id] })
    Object.assign(ids, {
      '/clients': client_id,
      '/client-grants': grant.id,
      '/roles': role.id,
      '/actions/actions': action.id,
      '/connections': connection.id,
      '/organizations': of,
      '/users': user.user_id,
    })
  }
  await server.audited()
})
afterAll(() => server.close())

/** The path of an operation with objects that exist, as far as the test made any. */
function placeOf({ path }: Pick<Operation<never>, 'path'>): string {
  const first = path.replace(/^(.*?)\/:\w+/, (_, kind: string) => `${kind}/${encodeURIComponent(ids[kind] ?? 'none')}`)
  return first.replace(/:\w+/g, encodeURIComponent(ids['/users'] ?? ''))
}

const NEEDED: Record<string, Record<string, string>> = {
  'users_by_email.list': { email: 'one@mail.test' },
  'refresh_tokens.list': { user_id: 'auth0|none' },
}

const ask = async (own: AnyOperation, query: Record<string, string>) => {
  const needed: Record<string, string> = own.method === 'GET' ? (NEEDED[own.name] ?? {}) : {}
  const answer = await manager.send(own.method, placeOf(own), { query: { ...needed, ...query } })
  const body: unknown = answer.text === '' ? null : JSON.parse(answer.text)
  const listed = Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray)
  return { status: answer.status, code: (body as Body | null)?.errorCode, entries: (listed ?? []) as Body[] }
}

const PAIRS = SHARED.flatMap(({ name, own, names }) => names.map((parameter) => [name, parameter, own] as const))

describe('a parameter that the vendor knows', () => {
  it('is one of many', () => {
    expect(PAIRS.length).toBeGreaterThan(150)
  })

  it.each(PAIRS.filter(([, parameter, own]) => !declares(own, parameter) && !takesAll(own)))(
    'of %s is refused where it is not applied: %s',
    async (_name, parameter, own) => {
      expect(NEUTRAL.has(parameter)).toBe(false)
      expect(await ask(own, { [parameter]: 'something' })).toMatchObject({ status: 400, code: 'invalid_query_string' })
    },
  )

  it.each(
    PAIRS.filter(
      ([, parameter, own]) =>
        own.method === 'GET' && declares(own, parameter) && !NEUTRAL.has(parameter) && !NO_FILTERS.has(parameter),
    ),
  )('of %s finds nothing, or is refused, where nothing fits: %s', async (_name, parameter, own) => {
    const { status, code, entries } = await ask(own, { [parameter]: 'nothing-like-it' })
    if (status === 200 || status === 404) expect(entries).toEqual([])
    else expect([status, code]).toEqual([400, 'invalid_query_string'])
  })

  it.each(
    PAIRS.filter(
      ([, parameter, own]) =>
        own.method === 'GET' &&
        declares(own, parameter) &&
        !NEUTRAL.has(parameter) &&
        parameter !== 'primary_order' &&
        parameter !== 'consider_brute_force_enablement' &&
        own.query?.safeParse({ [parameter]: 'true' }).success === true &&
        own.query?.safeParse({ [parameter]: 'neither' }).success === false,
    ),
  )('of %s divides the entries by true and false: %s', async (_name, parameter, own) => {
    const paged: Record<string, string> = declares(own, 'per_page') ? { per_page: '100' } : { take: '100' }
    const [on, off, all] = await Promise.all(
      [{ [parameter]: 'true' }, { [parameter]: 'false' }, {}].map((query) => ask(own, { ...paged, ...query })),
    )
    const texts = (answer: typeof all) => (answer?.entries ?? []).map((entry) => JSON.stringify(entry))
    const global = parameter === 'is_global' ? texts(on) : []
    expect([...texts(on), ...texts(off)].sort()).toEqual([...global, ...texts(all)].sort())
  })

  it.each(
    PAIRS.filter(
      ([, parameter, own]) => own.method === 'GET' && ['per_page', 'take'].includes(parameter) && !takesAll(own),
    ),
  )('the parameter of %s bounds the entries: %s', async (_name, parameter, own) => {
    const { status, entries } = await ask(own, { [parameter]: '1' })
    expect([200, 404]).toContain(status)
    expect(entries.length).toBeLessThanOrEqual(1)
  })

  it.each(
    PAIRS.filter(([, parameter, own]) => own.method === 'GET' && parameter === 'fields' && own.list !== undefined),
  )('the parameter of %s chooses the members: %s', async (_name, _parameter, own) => {
    const { entries: whole } = await ask(own, {})
    const [member] = Object.keys(whole[0] ?? {}).slice(-1)
    if (member === undefined) return
    const { entries: chosen } = await ask(own, { fields: member })
    const { entries: left } = await ask(own, { fields: member, include_fields: 'false' })
    expect(Object.keys(chosen[0] ?? {}).length).toBeLessThan(Object.keys(whole[0] ?? {}).length)
    expect(left[0]).not.toHaveProperty(member)
  })
})

describe('a parameter that nothing knows', () => {
  it.each(OPERATIONS.filter((own) => !takesAll(own)).map((own) => [own.name, own] as const))(
    'an unknown parameter of %s is refused',
    async (_name, own) => {
      const answer = await ask(own, { filter_by: 'something' })
      expect(answer).toMatchObject({ status: 400, code: 'invalid_query_string' })
    },
  )
})
