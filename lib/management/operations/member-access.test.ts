// Which members each scope opens, for every operation there is: members, guards and secrets come from the operations themselves.
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { DomainError } from '../../kernel/errors'
import type { Json, JsonObject } from '../../kernel/json'
import { OPERATIONS } from '..'
import { execute } from './execute'
import { scopesIn, scopesThatGuard } from './member-access'
import type { Operation } from './operation'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

const trail = { record() {} } as never

/** The members of a schema, those of its alternatives and of what it wraps included. */
function membersOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  const { options, in: before, innerType } = { ...((schema as z.ZodType).def as object) } as Record<string, unknown>
  if (Array.isArray(options)) return options.flatMap(membersOf)
  return before || innerType ? membersOf(before ?? innerType) : []
}

const bodyMembers = ({ body, describedBody }: AnyOperation): string[] =>
  body ? [...new Set([...membersOf(body), ...(describedBody ? membersOf(describedBody) : []), 'a_member_to_come'])] : []

const alternativesOf = ({ scopes }: AnyOperation): [string, readonly string[]][] =>
  scopes.flatMap((rule) => (typeof rule === 'string' ? [] : Object.entries(rule)))

const isGuardedFrom = (operation: AnyOperation, member: string, scope: string): boolean => {
  const guards = scopesThatGuard(operation, member)
  return guards.length > 0 && !guards.includes(scope)
}

const wholeScopes = ({ scopes, needs = [] }: AnyOperation): string[] => [
  ...scopes.filter((rule) => typeof rule === 'string'),
  ...needs,
]

type Input = { body?: unknown; query?: unknown; answer?: Json; current?: JsonObject }

/** The code of the refusal, or what the actor with these scopes sees. */
async function outcomeOf(
  operation: AnyOperation,
  scopes: readonly string[],
  { body, query = {}, answer, current = {} }: Input,
) {
  const actor = { clientId: 'any', userId: null, scopes: new Set(scopes) }
  // Whom a call acts on is judged in lib/server/endpoints/management/rank.test.ts.
  const rank = { audience: '', guard: expect.fail, holdingsOf: async () => new Map() }
  const call = { params: {}, query, body, actor, ifMatch: null, ip: '', deps: { rank } }
  const handle = ({ body: taken }: { body: Json }) => ({ body: answer ?? { taken } })
  const stub = { ...operation, target: 'tenant', current: async () => current, handle } as AnyOperation
  try {
    return (await execute(stub, call, trail)).body
  } catch (error) {
    return (error as DomainError).code
  }
}

const named = (list: readonly AnyOperation[]): [string, AnyOperation][] => list.map((each) => [each.name, each])

describe('an alternative scope', () => {
  const withAlternatives = named(OPERATIONS.filter((each) => alternativesOf(each).length > 0))

  it('is found', () => expect(withAlternatives.map(([name]) => name)).toContain('clients.update'))

  it.each(withAlternatives)('of %s opens the members that it names in the body', async (_name, operation) => {
    for (const [scope, opened] of alternativesOf(operation))
      for (const member of bodyMembers(operation)) {
        const outcome = await outcomeOf(operation, [scope], { body: { [member]: 'any' } })
        const isRefused = !opened.includes(member) || isGuardedFrom(operation, member, scope)
        expect([scope, member, outcome === 'insufficient_scope']).toEqual([scope, member, isRefused])
      }
  })

  it.each(withAlternatives)('of %s opens the parameters that it names', async (_name, operation) => {
    const neutral = ['page', 'per_page', 'include_totals', 'from', 'take', 'fields', 'include_fields']
    for (const [scope, opened] of alternativesOf(operation))
      for (const member of membersOf(operation.query ?? z.object({})).filter((name) => !neutral.includes(name))) {
        const outcome = await outcomeOf(operation, [scope], { query: { [member]: 'any' } })
        expect([scope, member, outcome === 'insufficient_scope']).toEqual([scope, member, !opened.includes(member)])
      }
  })

  it.each(withAlternatives)(
    'of %s shows the members that it names in every shape of an answer',
    async (_name, operation) => {
      const entry = {
        ...Object.fromEntries(membersOf(operation.answer ?? z.object({})).map((name) => [name, 'any'])),
        other: 1,
      }
      const { list = 'none' } = operation
      for (const [scope, opened] of alternativesOf(operation))
        for (const answer of [entry, [entry], { [list]: [entry], total: 1 }]) {
          const shown = (await outcomeOf(operation, [scope], { answer })) as Record<string, unknown>
          const [first] = Array.isArray(shown) ? shown : list in shown ? (shown[list] as object[]) : [shown]
          for (const name of Object.keys(first ?? {}))
            expect([scope, opened]).toEqual([scope, expect.arrayContaining([name])])
        }
    },
  )
})

describe('a guarded member', () => {
  const guarded = OPERATIONS.filter((each) => each.guarded).flatMap((operation) =>
    [...new Set(Object.values(operation.guarded ?? {}).flat())].map((member) => {
      const scopes = scopesThatGuard(operation, member)
      return [`${member} of ${operation.name}`, { operation, member, scopes }] as const
    }),
  )

  it.each(guarded)(
    '%s needs its scope beside every other of the operation',
    async (_name, { operation, member, scopes }) => {
      const body = { [member]: 'any' }
      const others = wholeScopes(operation).filter((scope) => !scopes.includes(scope))
      expect(await outcomeOf(operation, others, { body })).toBe('insufficient_scope')
      expect(await outcomeOf(operation, others, { body: { [member]: false } })).toEqual({ taken: { [member]: false } })
      for (const scope of scopes)
        expect(await outcomeOf(operation, [...others, scope], { body })).toEqual({ taken: body })
    },
  )

  const ofObjects = guarded.filter(([, { operation }]) => operation.current)

  it.each(ofObjects)(
    '%s is no act without its scope where it repeats what the actor sees, and is left out',
    async (_name, { operation, member, scopes }) => {
      const others = wholeScopes(operation).filter((scope) => !scopes.includes(scope))
      const sees = [...others, ...(operation.secrets?.[member]?.scopes ?? [])]
      const input = { body: { [member]: ['any'], name: 'n' }, current: { [member]: ['any'] } }
      expect(await outcomeOf(operation, sees, input)).toEqual({ taken: { name: 'n' } })
      expect(await outcomeOf(operation, sees, { ...input, body: { [member]: ['other'] } })).toBe('insufficient_scope')
    },
  )

  it.each(ofObjects.filter(([, { operation, member }]) => operation.secrets?.[member]))(
    '%s is refused to an actor that does not see it, whether it is guessed right or wrong',
    async (_name, { operation, member, scopes }) => {
      const others = wholeScopes(operation).filter((scope) => !scopes.includes(scope))
      for (const guess of ['right', 'wrong'])
        expect(await outcomeOf(operation, others, { body: { [member]: guess }, current: { [member]: 'right' } })).toBe(
          'insufficient_scope',
        )
    },
  )
})

describe('an operation that also does what another one guards', () => {
  it.each(named(OPERATIONS.filter((each) => each.needs)))('needs a scope of both: %s', async (_name, operation) => {
    const { needs = [], scopes } = operation
    expect(await outcomeOf(operation, scopesIn(scopes), {})).toBe('insufficient_scope')
    for (const scope of needs) expect(await outcomeOf(operation, [...scopesIn(scopes), scope], {})).toEqual({})
  })
})

describe('a secret of an answer', () => {
  const secrets = OPERATIONS.flatMap((operation) =>
    Object.entries(operation.secrets ?? {}).map(
      ([path, secret]) => [`${path} of ${operation.name}`, { operation, path, secret }] as const,
    ),
  )
  const VALUE = 'the secret'
  const holding = (path: string): Json =>
    path.split('.').reduceRight<Json>((value, name, index) => ({ [name]: index === 0 ? value : [value] }), VALUE)

  it.each(secrets)('is shown with its scopes alone: %s', async (_name, { operation, path, secret }) => {
    const { list = 'none' } = operation
    const whole = wholeScopes(operation)
    const entry = path.includes('.')
      ? { [path.split('.')[0] as string]: [{ [path.split('.')[1] as string]: VALUE }] }
      : holding(path)
    const shapes = operation.list === undefined ? [entry] : [entry, [entry], { [list]: [entry], total: 1 }]
    for (const answer of shapes) {
      const seen = async (scopes: readonly string[]) =>
        JSON.stringify(await outcomeOf(operation, scopes, { answer }))?.includes(VALUE)
      for (const scope of secret.scopes) expect(await seen([...whole, scope])).toBe(true)
      const others = whole.filter((scope) => !(secret.scopes as readonly string[]).includes(scope))
      if (others.length > 0) expect(await seen(others)).toBe(false)
    }
  })

  it('has the list that holds the entries of an answer', () => {
    const lists = OPERATIONS.filter(
      ({ secrets, query }) =>
        secrets && membersOf(query ?? z.object({})).some((name) => ['page', 'take'].includes(name)),
    )
    expect(lists.map(({ list }) => list)).not.toContain(undefined)
  })
})

describe('members of one name in operations of different scopes', () => {
  /** Each is the same thing under two scopes and guarded in one of them, or two different things. */
  const DECIDED: Readonly<Record<string, string>> = {
    roles: 'guarded in invitations; those of an organization and those of a user are two things',
    app_metadata: 'guarded in invitations',
    user_metadata: 'guarded in invitations',
    permissions: 'of a role, and of a user',
    email: 'a contact of a user, a factor, or where a message goes',
    phone_number: 'a contact of a user, or a factor',
    provider: 'of an identity, or of messages, where the operation needs the scopes of both',
    from: 'of a template, or of text messages, where the operation needs the scopes of both',
    security_profile: 'of a client, or the least for all clients',
    compat: 'of a client, or of the tenant',
    allowed_logout_urls: 'of a client, or of the tenant',
    organization_usage: 'of a client, or of a client grant',
    connection_id: 'names what a request is about',
    client_id: 'names what a request is about',
    connection: 'names what a request is about',
    organization: 'names what a request is about',
    parameters: 'of a test of a login, and of a link to one, which needs the scopes of both',
    user_id: 'names what a request is about',
    id: 'names what a request is about',
    users: 'a file, or ids of users',
    audience: 'names what a request is about',
    identity: 'names what a request is about',
    to: 'where a test message goes',
    delivery_method: 'how a test message goes',
    name: 'of the object',
    display_name: 'of the object',
    description: 'of the object',
    type: 'of the object',
    status: 'of the object',
    enabled: 'of the object',
    disabled: 'of the object',
    domain: 'of the object',
    credentials: 'of the object',
    stage: 'of a rule, or of a limit',
    dependencies: 'of an action, a module or a hook',
    script: 'of a rule, or of a hook',
    scope: 'of a grant, or of a token that is requested by it',
    ttl_sec: 'of the link',
    includeEmailInRedirect: 'of the link, or of all links of a template',
  }

  it('are decided one by one', () => {
    const scopesByMember = new Map<string, Set<string>>()
    for (const operation of OPERATIONS.filter(({ method }) => method !== 'GET'))
      for (const member of bodyMembers(operation).filter((name) => name !== 'a_member_to_come')) {
        const nouns = operation.scopes.filter((rule) => typeof rule === 'string').map((rule) => rule.split(':')[1])
        scopesByMember.set(member, (scopesByMember.get(member) ?? new Set()).add(nouns.join()))
      }
    const shared = [...scopesByMember].filter(([, nouns]) => nouns.size > 1).map(([member]) => member)
    expect(shared.toSorted()).toEqual(Object.keys(DECIDED).toSorted())
  })
})
