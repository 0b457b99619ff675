// The OpenAPI document is valid and describes every operation.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../management'
import { scopesIn, secretNames } from '../../../management/operations/member-access'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { storedLogin } from '../../../testing/stored-login'

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Content = { content?: Record<string, { schema: Schema }> }
type Described = {
  operationId: string
  responses: Record<string, Content>
  requestBody?: Content
  security: unknown[]
}
type Document = { openapi: string; paths: Record<string, Record<string, Described>>; servers: { url: string }[] }

let server: TestServer
let document: Document
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  const answer = await server.browser().get('/api/v2/openapi.json')
  expect(answer.status).toBe(200)
  document = answer.json() as unknown as Document
  manager = await addManager(server)
})
afterAll(() => server.close())

it('is a valid OpenAPI 3.1 document for this server', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as Parameters<Validator['validate']>[0])).toEqual({
    valid: true,
  })
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([{ url: 'https://id.test/api/v2' }])
})

it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('describes %s', (name, operation) => {
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
  expect(described?.operationId).toBe(name)
  expect(Object.keys(described?.responses ?? {})).toContain(String(operation.status))
  expect(described?.requestBody !== undefined).toBe(operation.body !== undefined)
  expect(described?.security).toEqual(scopesIn(operation.scopes).map((scope) => ({ oauth: [scope] })))
})

it('says what every operation answers', () => {
  expect(OPERATIONS.filter(({ status, answer }) => status !== 204 && !answer).map(({ name }) => name)).toEqual([])
})

it('says which members an application has', () => {
  const schemas = (document as unknown as { components: { schemas: Record<string, { properties: object }> } })
    .components.schemas
  expect(Object.keys(schemas.Client?.properties ?? {})).toEqual(
    expect.arrayContaining(['client_id', 'callbacks', 'refresh_token']),
  )
})

it('says which members the settings of the tenant have', () => {
  const described = document.paths['/tenants/settings']?.patch?.requestBody
  expect(described).toMatchObject({
    content: {
      'application/json': {
        schema: { properties: { session_lifetime: { type: 'number' }, flags: { type: 'object' } } },
      },
    },
  })
})

async function makeAdministrator(userId: string): Promise<void> {
  const { administrators, clock } = await server.runtime()
  await administrators.put(userId, 'user_support', clock.now())
}

/** Members with a value that cannot be guessed, but those that name objects. */
function bearerMembers(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const isLong = (value.match(/[\w-]{32,}/g) ?? []).some((part) => /\d/.test(part) && /[a-z]/i.test(part))
    return isLong && !/(?<!ticket_)id$/i.test(name) && !PUBLIC.includes(name) ? [name] : []
  }
  if (Array.isArray(value)) return value.flatMap((each) => bearerMembers(each, name))
  return Object.entries(value ?? {}).flatMap(([inner, member]) => bearerMembers(member, inner))
}

/** Public keys, the proof of a domain that is published, ids, and the address of a drawn picture. */
const PUBLIC = [
  ...['cert', 'pkcs7', 'fingerprint', 'thumbprint', 'record', 'verification_txt'],
  ...['enabled_clients', 'target', 'picture'],
]

const undeclared = (operation: (typeof OPERATIONS)[number], answer: unknown): string[] =>
  bearerMembers(answer).filter((member) => !secretNames(operation).has(member))

describe('every example is a request that is answered as described', () => {
  /** What examples name is created before them. */
  const FIRST = ['resource_servers.create', 'clients.create', 'users.create', 'roles.create']
  /** On what the examples before them made. */
  const LAST = [
    'guardian.enrollments.create_ticket',
    'organizations.invitations.create',
    'organizations.members.roles.add',
    'organizations.members.roles.remove',
    'organizations.members.remove',
    'guardian.phone_twilio.update',
    'guardian.sms_twilio.update',
  ]
  const isMade = ({ name, path }: (typeof OPERATIONS)[number]) => name.endsWith('.create') && !path.includes(':')
  const rank = (operation: (typeof OPERATIONS)[number]): number => {
    const { name } = operation
    const index = FIRST.indexOf(name)
    if (index >= 0) return index
    if (LAST.includes(name)) return FIRST.length + 2 + LAST.indexOf(name)
    return isMade(operation) ? FIRST.length : FIRST.length + 1
  }
  const examples = OPERATIONS.filter(({ example }) => example !== undefined).toSorted((a, b) => rank(a) - rank(b))
  /** The ids of created objects by the first segment of their path. */
  const ids = new Map<string, string>()
  const NAMED: Record<string, string> = {
    '<user>': 'users',
    '<role>': 'roles',
    '<client>': 'clients',
    '<client_grant>': 'client-grants',
    '<connection>': 'connections',
    '<other connection>': 'other connection',
    '<database>': 'database',
    '<theme>': 'theme',
    '<exchange action>': 'exchange action',
    '<module>': 'module',
    '<module version>': 'module version',
    '<login>': 'login',
  }

  beforeAll(async () => {
    const made = async (path: string, json: object) => (await manager.post(path, json)).json()
    const judge = { name: 'Judge', code: '', supported_triggers: [{ id: 'custom-token-exchange', version: 'v1' }] }
    ids.set('exchange action', String((await made('/actions/actions', judge)).id))
    const helpers = await made('/actions/modules', { name: 'helpers', code: '', publish: true })
    ids.set('module', String(helpers.id))
    ids.set('module version', String((helpers.latest_version as { id: string }).id))
    ids.set('login', await storedLogin(server))
    ids.set('database', String((await made('/connections', { name: 'a-database', strategy: 'auth0' })).id))
    ids.set('other connection', String((await made('/connections', { name: 'others', strategy: 'auth0' })).id))
  })

  const filled = (example: unknown): unknown =>
    JSON.parse(
      JSON.stringify(example, (_, value: unknown) =>
        typeof value === 'string' && value in NAMED ? ids.get(NAMED[value] ?? '') : value,
      ),
    )

  /** Bodies that need a login, a cookie, a grant, a version, a verified account or a message that no example makes, and those that are always refused. */
  const WITHOUT_EXAMPLE = [
    ...['actions.versions.deploy', 'clients.credentials.update', 'users.authentication_methods.update'],
    ...['jobs.users_imports', 'organizations.discovery_domains.update', 'sessions.update', 'refresh_tokens.update'],
    ...[
      'login_tests.read',
      'resource_servers.test_token',
      'users.identities.link',
      'email_provider.try',
      'phone_providers.try',
      'phone_templates.try',
    ],
    ...['apns', 'duo', 'fcm', 'fcmv1', 'sns'].flatMap((name) => [`guardian.${name}.update`, `guardian.${name}.change`]),
  ]

  it('is there for every operation with a body', () => {
    const without = OPERATIONS.filter(({ body, example }) => body && example === undefined).map(({ name }) => name)
    expect(without.toSorted()).toEqual(WITHOUT_EXAMPLE.toSorted())
  })

  it.each(examples.map((operation) => [operation.name, operation] as const))(
    'the example of %s is answered as described',
    async (name, operation) => {
      const { method, path, status, answer: schema, example, examplePath = {} } = operation
      const [, segment = ''] = path.split('/')
      const address = path.replaceAll(/:(\w+)/g, (whole, parameter: string) => {
        const value = examplePath[parameter] ?? (parameter === 'id' ? ids.get(segment) : undefined)
        return value === undefined ? whole : encodeURIComponent(String(filled(value)))
      })
      if (name === 'administrators.update') await makeAdministrator(ids.get('users') ?? '')
      // A change takes effect within a second.
      server.clock.advance(2)
      const answer = await manager.send(method, address, { json: filled(example) })
      expect(answer.status, answer.text).toBe(status)
      const body = status === 204 ? undefined : (JSON.parse(answer.text) as Record<string, string>)
      if (schema) expect(schema.safeParse(body).error).toBeUndefined()
      if (isMade(operation))
        ids.set(segment, body?.id ?? body?.client_id ?? body?.user_id ?? body?.custom_domain_id ?? '')
      if (name === 'branding_themes.make') ids.set('theme', body?.themeId ?? '')
      const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(described?.requestBody).toMatchObject({
        content: { 'application/json': { examples: { [name]: { value: example } } } },
      })
      expect(undeclared(operation, body)).toEqual([])
    },
  )

  /** The objects of the value, each by the names that lead to it. */
  const objectsIn = (value: unknown, path: string[] = []): string[][] =>
    typeof value !== 'object' || value === null
      ? []
      : [
          ...(Array.isArray(value) ? [] : [path]),
          ...Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...path, name])),
        ]

  const valueAt = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
    name === undefined ? value : valueAt((value as Record<string, unknown>)[name], rest)

  const added = (value: unknown, path: readonly string[], member: object): unknown => {
    const changed = structuredClone(value)
    Object.assign(valueAt(changed, path) as object, member)
    return changed
  }

  /** The alternatives of the schema at the place. */
  function schemasAt(schema: Schema, path: readonly string[]): Schema[] {
    const { $ref, properties = {}, additionalProperties: others, items } = schema
    if ($ref !== undefined) {
      const { components } = document as unknown as { components: { schemas: Record<string, Schema> } }
      return schemasAt(components.schemas[$ref.slice('#/components/schemas/'.length)] as Schema, path)
    }
    const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    if (alternatives.length > 0) return alternatives.flatMap((each) => schemasAt(each, path))
    const [name, ...rest] = path
    if (name === undefined) return [schema]
    const inner = items ?? properties[name] ?? (typeof others === 'object' ? others : {})
    return schemasAt(inner, rest)
  }

  /** The keys of a map are no members. */
  const isMap = (schema: Schema, path: readonly string[]): boolean =>
    schemasAt(schema, path).some(
      ({ additionalProperties: others }) => typeof others === 'object' && Object.keys(others).length > 0,
    )

  const takesOthers = (schema: Schema, path: readonly string[]): boolean =>
    schemasAt(schema, path).some(({ additionalProperties }) => additionalProperties !== false)

  /** Which members it has is decided by the type beside it. */
  const BY_TYPE = ['log_streams.create.sink']

  const NO_MEMBER = { unlisted_member: 'kept' }

  it.each(examples.filter(({ body }) => body).map((operation) => [operation.name, operation] as const))(
    'the body and the answer of %s have other members where the document says so, at every depth',
    async (name, operation) => {
      const { method, path, example, examplePath = {} } = operation
      const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      const body = described?.requestBody?.content?.['application/json']?.schema ?? {}
      const answered = described?.responses[String(operation.status)]?.content?.['application/json']?.schema ?? {}
      const [, segment = ''] = path.split('/')
      const address = path.replaceAll(/:(\w+)/g, (whole, parameter: string) => {
        const value = examplePath[parameter] ?? (parameter === 'id' ? ids.get(segment) : undefined)
        return value === undefined ? whole : encodeURIComponent(String(filled(value)))
      })
      const found: string[] = []
      for (const place of objectsIn(example).filter((each) => !isMap(body, each))) {
        server.clock.advance(2)
        const answer = await manager.send(method, address, { json: added(filled(example), place, NO_MEMBER) as object })
        const where = [name, ...place].join('.')
        // What exists already is refused before the kind of a provider judges its settings.
        if (answer.status === 409 || BY_TYPE.includes(where)) continue
        const isRefused = answer.status === 400 && answer.text.includes('unlisted_member')
        if (isRefused === takesOthers(body, place)) found.push(`${where}: ${answer.status} ${answer.text}`)
        if (answer.status >= 300 || answer.status === 204) continue
        const shown: unknown = JSON.parse(answer.text)
        for (const inner of objectsIn(shown))
          if (Object.hasOwn(valueAt(shown, inner) as object, 'unlisted_member') && !takesOthers(answered, inner))
            found.push(`${where} is answered in ${inner.join('.')}`)
      }
      expect(found).toEqual([])
    },
  )

  const reads = OPERATIONS.filter(({ method, path }) => method === 'GET' && !/:(?!id\b)/.test(path))

  it.each(reads.map((operation) => [operation.name, operation] as const))(
    'the answer of %s shows no bearer value that it does not declare',
    async (_name, operation) => {
      const address = operation.path.replace(
        ':id',
        encodeURIComponent(ids.get(operation.path.split('/')[1] ?? '') ?? 'none'),
      )
      const query = operation.query && 'take' in operation.query.shape ? { take: '10' } : {}
      const answer = await manager.get(address, { query })
      expect(undeclared(operation, answer.status === 200 ? JSON.parse(answer.text) : null)).toEqual([])
    },
  )
})
