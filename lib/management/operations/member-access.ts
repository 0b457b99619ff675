// What the scopes of an actor open of an operation, as `scopes` and `guarded` of each operation say (operation.ts).
// - Most scopes open all of it; an alternative scope opens the members that it names, in the body, the query and the answer.
// - A guarded member also needs a scope of its own, because another operation guards the same thing with it.
// - A secret in the answer is shown to actors that may make such a secret.
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../kernel/json'
import { MASK } from '../../kernel/secret'
import { lacksScope } from './errors'
import { checkpointQuery, fieldsQuery, pageQuery } from './list'
import type { Actor, Call, Operation, OperationOutcome, ScopeRule, Secret } from './operation'
import { aboveOf, holdsEverything, type RankDeps } from './rank'
import { membersThatDiffer } from './repeated'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>
type AnyCall = Call<RankDeps>
type Scopes = Pick<Actor, 'scopes'>

/** Paging says nothing about an object. */
export const NEUTRAL: ReadonlySet<string> = new Set(Object.keys({ ...pageQuery, ...checkpointQuery, ...fieldsQuery }))

type Opening = { scope: string; members: readonly string[] | 'all' }

const openingsOf = (rules: readonly ScopeRule[]): Opening[] =>
  rules.flatMap((rule): Opening[] =>
    typeof rule === 'string'
      ? [{ scope: rule, members: 'all' }]
      : Object.entries(rule).map(([scope, members]) => ({ scope, members })),
  )

export const scopesIn = (rules: readonly ScopeRule[]): string[] => openingsOf(rules).map(({ scope }) => scope)

const holdsOne = ({ scopes }: Scopes, wanted: readonly string[]): boolean => wanted.some((scope) => scopes.has(scope))

export const mayUse = ({ scopes: rules }: Pick<AnyOperation, 'scopes'>, actor: Scopes): boolean =>
  holdsOne(actor, scopesIn(rules))

export const maySee = ({ scopes }: Secret, actor: Scopes): boolean => holdsOne(actor, scopes)

/** Null for all members. */
function openedMembers(rules: readonly ScopeRule[], { scopes }: Scopes): ReadonlySet<string> | null {
  if (rules.some((rule) => typeof rule === 'string' && scopes.has(rule))) return null
  const held = openingsOf(rules).filter(({ scope }) => scopes.has(scope))
  return new Set(held.flatMap(({ members }) => members))
}

const scopesThatOpen = (rules: readonly ScopeRule[], member: string): string[] =>
  openingsOf(rules)
    .filter(({ members }) => members === 'all' || members.includes(member))
    .map(({ scope }) => scope)

/** The scopes of which a guarded member of the body also needs one; none where it is not guarded. */
export const scopesThatGuard = ({ guarded = {} }: Pick<AnyOperation, 'guarded'>, member: string): string[] =>
  Object.entries(guarded).flatMap(([scope, members]) => (members.includes(member) ? [scope] : []))

/** Whether the actor's scopes open this member of the input. */
export function mayName(operation: AnyOperation, member: string, actor: Scopes): boolean {
  const guards = scopesThatGuard(operation, member)
  return (
    (openedMembers(operation.scopes, actor)?.has(member) ?? true) && (guards.length === 0 || holdsOne(actor, guards))
  )
}

/**
 * The call with what the actor's scopes open of it; throws unless they open the operation with each member of the input. A guarded
 * member without its scope is left out if it repeats what the actor sees.
 */
export async function demandMembers<Of extends AnyCall>(operation: AnyOperation, call: Of): Promise<Of> {
  const { scopes: rules, needs, guarded } = operation
  const { query, body, actor } = call
  if (needs && !holdsOne(actor, needs)) throw lacksScope(needs)
  const opened = openedMembers(rules, actor)
  if (!opened && !guarded) return call
  const given = [...membersOf(query).filter(([name]) => !NEUTRAL.has(name)), ...membersOf(body)]
  const lacking: string[] = []
  for (const [name, value] of given) {
    if (opened && !opened.has(name)) throw lacksScope(scopesThatOpen(rules, name))
    const guards = scopesThatGuard(operation, name)
    // False asks for nothing.
    if (guards.length > 0 && value !== false && !holdsOne(actor, guards)) lacking.push(name)
  }
  if (lacking.length === 0) return call
  const differing = membersThatDiffer(pick(body, lacking), await visibleNow(operation, call))
  for (const name of lacking) if (Object.hasOwn(differing, name)) throw lacksScope(scopesThatGuard(operation, name))
  return { ...call, body: Object.fromEntries(membersOf(body).filter(([name]) => !lacking.includes(name))) }
}

const pick = (body: unknown, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(membersOf(body).filter(([name]) => names.includes(name)))

/** The object that a call changes, as the actor sees it. */
async function visibleNow(operation: AnyOperation, call: AnyCall): Promise<JsonObject> {
  const current = await operation.current?.(call)
  return current ? objectIn((await visibleOutcome(operation, { body: current }, call)).body) : {}
}

/** A list that is a whole body has members without names. */
function membersOf(input: unknown): [string, unknown][] {
  if (typeof input !== 'object' || input === null) return []
  if (Array.isArray(input)) return input.map((each) => ['', each])
  return Object.entries(input).filter(([, value]) => value !== undefined)
}

/** The outcome as the actor may see it. */
export async function visibleOutcome(
  operation: AnyOperation,
  outcome: OperationOutcome,
  call: AnyCall,
): Promise<OperationOutcome> {
  const { scopes: rules, secrets, list } = operation
  if (outcome.body === undefined) return outcome
  const opened = openedMembers(rules, call.actor)
  if (!opened && !secrets) return outcome
  const isAbove = await ownersAbove(operation, outcome.body, call)
  const body = eachEntry(outcome.body, list, (entry) => {
    const whole = hideSecrets(entry, secrets, isAbove(entry) ? NO_SCOPES : call.actor)
    return opened ? Object.fromEntries(Object.entries(whole).filter(([name]) => opened.has(name))) : whole
  })
  return opened ? { ...outcome, body, isPart: true as const } : { ...outcome, body }
}

/** Of an actor that holds no scope of the Management API. */
export const NO_SCOPES: Scopes = { scopes: new Set() }

/** Whether the secrets of an entry belong to what is above the actor, or to what the entry does not name. */
async function ownersAbove(
  { secretsOf, secrets = {}, list }: AnyOperation,
  body: Json,
  { actor, params, query, deps }: AnyCall,
): Promise<(entry: JsonObject) => boolean> {
  if (!secretsOf || holdsEverything(actor)) return () => false
  const { kind, member } = secretsOf
  const isPartial = objectIn(query).fields !== undefined
  const ownersOf = (entry: JsonObject): string[] | undefined => {
    if (entry[member] !== undefined) return [entry[member]].flat().map(String)
    if (kind !== 'roles' && params.id !== undefined) return [params.id]
    return isPartial ? undefined : []
  }
  const paths = Object.entries(secrets).flatMap(([path, secret]) => (maySee(secret, actor) ? [path] : []))
  const owners: string[] = []
  eachEntry(body, list, (entry) => {
    if (paths.some((path) => hasMember(entry, path.split('.')))) owners.push(...(ownersOf(entry) ?? []))
    return entry
  })
  const above = await aboveOf(actor, kind, [...new Set(owners)], deps)
  return (entry) => ownersOf(entry)?.some((id) => above.has(id)) ?? true
}

function hasMember(value: JsonObject, [name = '', ...rest]: readonly string[]): boolean {
  const member = value[name]
  if (member === undefined || member === null) return false
  return rest.length === 0 || [member].flat().some((inner) => isJsonObject(inner) && hasMember(inner, rest))
}

function eachEntry(body: Json, list: string | undefined, change: (entry: JsonObject) => JsonObject): Json {
  if (Array.isArray(body)) return body.map((each) => (isJsonObject(each) ? change(each) : each))
  if (!isJsonObject(body)) return body
  if (list === undefined) return change(body)
  const entries = body[list]
  return Array.isArray(entries) ? { ...body, [list]: eachEntry(entries, undefined, change) } : change(body)
}

/** The object without the secrets that the actor may not see. */
export function hideSecrets(
  shown: JsonObject,
  secrets: Readonly<Record<string, Secret>> = {},
  actor: Scopes,
): JsonObject {
  return Object.entries(secrets)
    .filter(([, secret]) => !maySee(secret, actor))
    .reduce((left, [path, { otherwise }]) => hide(left, path.split('.'), otherwise), shown)
}

function hide(value: JsonObject, [name = '', ...rest]: readonly string[], otherwise: Secret['otherwise']): JsonObject {
  const member = value[name]
  if (member === undefined || member === null) return value
  if (rest.length > 0) {
    const inner = eachEntry(member, undefined, (entry) => hide(entry, rest, otherwise))
    return { ...value, [name]: inner }
  }
  if (otherwise === 'masked') return { ...value, [name]: MASK }
  const { [name]: _secret, ...others } = value
  return others
}

/** The secret that a call made: its maker sees it once. */
export function madeSecret(
  { method, secrets = {} }: AnyOperation,
  { body }: OperationOutcome,
  actor: Scopes,
): string | undefined {
  if (method !== 'POST' || !isJsonObject(body)) return undefined
  const [made] = Object.entries(secrets).flatMap(([name, secret]) => (maySee(secret, actor) ? [body[name]] : []))
  return typeof made === 'string' ? made : undefined
}

/** The names of the members that are secrets, at whatever depth. */
export const secretNames = ({ secrets = {} }: AnyOperation): ReadonlySet<string> =>
  new Set(Object.keys(secrets).map((path) => path.split('.').at(-1) ?? path))
