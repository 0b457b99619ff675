// Imports users in the vendor's bulk-import shape, batch by batch. A batch is one transaction with the progress of the job, so each
// entry is applied exactly once, whichever processes die.
// - An existing user is changed only with `upsert`, and then keeps its password, its second factors, its names and what is verified.
// - A batch is planned, by the operations that make and change users, and its hashes are made before the transaction. There, unique names decide about new users; existing ones are
//   locked and planned again.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PasswordHasher } from '../../data/users/password'
import { canonical } from '../../data/users/user'
import { isJsonObject, isStorable, type Json, type JsonObject, objectIn, textsIn, unstorable } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { ConnectionResourceRow } from '../resources/connections'
import { NOTHING } from '../tenant-file/configuration'
import { contextOf, type PlanContext } from '../tenant-file/context'
import { same } from '../tenant-file/fields'
import type { Change, Credential, Problem, StoredUser, UserWrite } from '../tenant-file/model'
import type { UserLookup } from '../tenant-file/port'
import type { FileRole } from '../tenant-file/sections/roles'
import { idOf } from '../tenant-file/sections/user-operations'
import { lookupOf, users } from '../tenant-file/sections/users'
import { scopesOfMember } from './import-members'
import {
  type BatchResult,
  type BatchWriter,
  type Ending,
  type EntryBatch,
  type EntryError,
  type Job,
  type JobActor,
  type JobStore,
  PART_PURPOSE,
  type Step,
  UserChanged,
} from './job'

export type ImportDeps = {
  store: JobStore
  vault: Vault
  random: Random
  hasher: Pick<PasswordHasher, 'keepImported'>
}

/** Kept by an existing user, and not shown of a refused entry. */
const SECRETS = ['password_hash', 'custom_password_hash', 'mfa_factors']
const RETRIES = 5
/** Fast digests are wrapped in argon2id, one after the other; a batch must end well within the lease. */
const DIGESTS_IN_BATCH = 50
/** Some milliseconds of work, after which other requests have their turn. */
const ENTRIES_IN_TURN = 20
/** In characters: of a larger refused entry, these names alone are shown. */
const MAX_SHOWN = 2000
const MAX_NAME = 320

export type ImportContext = { connection: ConnectionResourceRow; roles: FileRole[] }

/** For whom and how an import is. */
export type Wish = Pick<Job, 'tenantId' | 'settings'>

type Planning = { job: Wish; context: ImportContext }
type Work = Planning & { job: Job; step: () => Step }

/** Works until the end of the job, or until `isOver`. */
export async function runImport(job: Job, deps: ImportDeps, step: () => Step, isOver: () => boolean): Promise<Ending> {
  const context = await deps.store.importContext(job)
  if (!context) return { failed: 'The connection was deleted.' }
  const work = { job, context, step }
  let from = job.done
  let next = prepareAt(readCursor(job.cursor), work, deps)
  while (from < (job.total ?? 0)) {
    if (isOver()) return 'paused'
    const batch = await next
    if (!batch) return 'lost'
    // The next batch is prepared while this one is written. A user that this one makes is found when the next is written.
    next = prepareAt(batch.end, work, deps)
    next.catch(() => {})
    if (!(await writeBatch(batch, from, work, deps))) return 'lost'
    from += batch.prepared.length
  }
  return 'completed'
}

/** The part, and the entry in it. */
type Place = { part: number; entry: number }

type PreparedBatch = { prepared: readonly Prepared[]; start: Place; end: Place; isEndOfPart: boolean }

function readCursor(cursor: string | null): Place {
  const [part = 0, entry = 0] = (cursor ?? '').split('.').map(Number)
  return { part, entry }
}

/** The batch that begins at the place; undefined after the last one, or where another process has finished the job. */
async function prepareAt(start: Place, work: Work, deps: ImportDeps): Promise<PreparedBatch | undefined> {
  const entries = await readPart(work.job.id, start.part, deps)
  if (!entries) return undefined
  const prepared = await prepare(entries.slice(start.entry), work, deps)
  const isEndOfPart = start.entry + prepared.length === entries.length
  return { prepared, start, isEndOfPart, end: after(start, prepared.length, isEndOfPart) }
}

const after = ({ part, entry }: Place, count: number, isEndOfPart: boolean): Place =>
  isEndOfPart ? { part: part + 1, entry: 0 } : { part, entry: entry + count }

/** Undefined where another process has finished the job. */
async function readPart(
  jobId: string,
  number: number,
  { store, vault }: ImportDeps,
): Promise<readonly Json[] | undefined> {
  const sealed = await store.part(jobId, number)
  if (!sealed) return undefined
  const plain = vault.open(PART_PURPOSE, sealed)
  if (!plain) throw new Error('a part of the import cannot be read')
  return JSON.parse(plain.toString('utf8')) as Json[]
}

/** False where another process has the job now. */
async function writeBatch(
  { prepared, start, isEndOfPart }: PreparedBatch,
  done: number,
  work: Work,
  deps: ImportDeps,
): Promise<boolean> {
  let written = 0
  let current = prepared
  for (let attempt = 1; written < prepared.length; attempt += 1) {
    const count = current.length
    const end = after(start, written + count, isEndOfPart && written + count === prepared.length)
    const from = done + written
    const batch: EntryBatch = { from, count, cursor: `${end.part}.${end.entry}` }
    try {
      const writing = current
      const result = await deps.store.doBatch(work.job, batch, work.step(), (writer) =>
        apply(writing, from, writer, work, deps),
      )
      if (result === null) return false
      written += count
    } catch (error) {
      // Another request made or changed a user meanwhile: the next plan sees it.
      if (attempt === RETRIES || !(error instanceof UserChanged)) throw error
    }
    const left = prepared.slice(written).map(({ entry }) => entry)
    if (left.length > 0) current = await prepare(left, work, deps)
  }
  return true
}

type Prepared = { entry: Json } & (
  | { kind: 'refused'; errors: EntryError[] }
  | { kind: 'new'; write: UserWrite }
  | { kind: 'existing'; given: JsonObject; id: string }
)

/** The first of the entries that one transaction can apply: no two of them name the same user. */
async function prepare(entries: readonly Json[], work: Work, deps: ImportDeps): Promise<Prepared[]> {
  const distinct = distinctEntries(entries)
  const maker = makerOf(work.job)
  const refusals = distinct.map((entry) => checkEntry(entry, maker))
  const valid = distinct.filter((_, number) => refusals[number]?.length === 0)
  const context = contextFor(await deps.store.users(work.job.tenantId, lookupOf(valid as Json[])), work, deps)
  const prepared: Prepared[] = []
  let digests = 0
  for (const [number, entry] of distinct.entries()) {
    if (digests === DIGESTS_IN_BATCH) break
    if (number % ENTRIES_IN_TURN === 0) await nextTurn()
    const refused = refusals[number] ?? []
    if (refused.length > 0) {
      prepared.push({ entry, kind: 'refused', errors: refused })
      continue
    }
    const given = { connection: work.context.connection.name, ...objectIn(entry) }
    const plan = await planEntry(given, context, work)
    if ('errors' in plan) prepared.push({ entry, kind: 'refused', errors: plan.errors })
    else if (!plan.isNew) prepared.push({ entry, kind: 'existing', given, id: plan.id })
    else {
      const { credential, write } = plan
      if (credential?.kind === 'imported' && 'digest' in credential.hash) digests += 1
      prepared.push({ entry, kind: 'new', write: await withHash(write, credential, deps) })
    }
  }
  return prepared
}

function distinctEntries(entries: readonly Json[]): Json[] {
  const seen = new Set<string>()
  const distinct: Json[] = []
  for (const entry of entries) {
    const keys = keysOf(entry)
    if (keys.some((key) => seen.has(key))) break
    for (const key of keys) seen.add(key)
    distinct.push(entry)
  }
  return distinct
}

/** What names the user of an entry. */
function keysOf(entry: Json): string[] {
  const { ids, emailKeys, usernameKeys } = lookupOf([entry])
  return [...ids, ...emailKeys.map((key) => `email ${key}`), ...usernameKeys.map((key) => `username ${key}`)]
}

async function withHash(
  write: UserWrite,
  credential: Credential | undefined,
  { hasher }: ImportDeps,
): Promise<UserWrite> {
  return credential?.kind === 'imported'
    ? { passwordHash: await hasher.keepImported(credential.hash), ...write }
    : write
}

async function apply(
  prepared: readonly Prepared[],
  from: number,
  writer: BatchWriter,
  work: Work,
  deps: ImportDeps,
): Promise<BatchResult> {
  const result: BatchResult = { inserted: 0, updated: 0, refused: [] }
  const refuse = (number: number, entry: Json, errors: EntryError[]) =>
    result.refused.push({ number: from + number, user: shownOf(entry), errors })
  const ids = prepared.flatMap((each) => (each.kind === 'existing' ? [each.id] : []))
  const context = contextFor(ids.length > 0 ? await writer.users(ids) : [], work, deps)
  const plans: (Planned | null)[] = []
  for (const each of prepared) plans.push(each.kind === 'existing' ? await planEntry(each.given, context, work) : null)
  const writes = prepared.map((each, index) => (each.kind === 'new' ? each.write : writeIn(plans[index])))
  const roles = [...new Set(writes.flatMap((write) => write?.roles ?? []))]
  const above = await writer.above({ users: ids, roles }, makerOf(work.job))
  const isAbove = (write: UserWrite | undefined): boolean =>
    write !== undefined && [write.user.id, ...(write.roles ?? [])].some((id) => above.has(id))
  const added = prepared.flatMap((each) => (each.kind === 'new' && !isAbove(each.write) ? [each.write] : []))
  if (added.length > 0) await writer.insert(added)
  result.inserted = added.length
  for (const [number, each] of prepared.entries()) {
    const plan = plans[number]
    if (each.kind === 'refused') refuse(number, each.entry, each.errors)
    else if (plan && 'errors' in plan) refuse(number, each.entry, plan.errors)
    else if (plan?.isNew) throw new UserChanged()
    // What changes nothing is no act.
    else if (isAbove(writes[number])) refuse(number, each.entry, [INSUFFICIENT_RANK])
    else if (plan) {
      if (plan.write) await writer.write(plan.write)
      result.updated += 1
    }
  }
  return result
}

const writeIn = (plan: Planned | null | undefined): UserWrite | undefined =>
  plan && !('errors' in plan) ? plan.write : undefined

const INSUFFICIENT_RANK: EntryError = {
  code: 'INSUFFICIENT_RANK',
  message: 'The user or a role holds more rights over the tenant than who made the import',
}

/** A job of an earlier release has none, so it acts on no one with rights over the tenant. */
const makerOf = ({ settings: { maker } }: Wish): JobActor =>
  isJsonObject(maker)
    ? { audience: String(maker.audience), scopes: textsIn(maker.scopes) }
    : { audience: '', scopes: [] }

function checkEntry(entry: Json, { scopes: held }: JobActor): EntryError[] {
  const reason = unstorable(entry)
  if (reason !== null) return [{ code: 'INVALID_FORMAT', message: reason, ...unstorableMember(entry) }]
  if (!isJsonObject(entry)) return [{ code: 'INVALID_FORMAT', message: 'A user must be an object' }]
  return Object.keys(entry).flatMap((name): EntryError[] => {
    const scopes = scopesOfMember(name)
    if (!scopes)
      return [{ code: 'ADDITIONAL_PROPERTY', message: `Additional properties not allowed: ${name}`, path: name }]
    if (scopes.length === 0 || scopes.some((scope) => held.includes(scope))) return []
    const message = `Insufficient scope, expected any of: ${scopes.join(',')}`
    return [{ code: 'INSUFFICIENT_SCOPE', message, path: name }]
  })
}

/** The member that cannot be stored, unless it is its name. */
function unstorableMember(entry: Json): Pick<EntryError, 'path'> {
  const found = Object.entries(objectIn(entry)).find(([, value]) => unstorable(value) !== null)
  return found && isStorable(found[0]) ? { path: found[0] } : {}
}

type Planned =
  | { errors: EntryError[] }
  | { isNew: true; write: UserWrite; credential: Credential | undefined }
  /** `write` is undefined where nothing changes. */
  | { isNew: false; id: string; write: UserWrite | undefined }

async function planEntry(
  given: JsonObject,
  context: PlanContext,
  { job: { settings }, context: { connection } }: Planning,
): Promise<Planned> {
  if (isOfAnotherConnection(given, context.users, connection))
    return { errors: [duplicated('The user_id belongs to a user of another connection')] }
  const { problems, change } = await plan(given, context)
  if (problems.length > 0) return { errors: problems.map(errorOf) }
  const write = writtenBy(change)
  if (change?.action === 'create' && write) return { isNew: true, write, credential: change.credential }
  const found = existingOf(given, context.users, connection)
  if (settings.upsert !== true || !found) return { errors: [duplicated('The user already exists')] }
  const refused = notUpsertable(given, found, connection)
  if (refused.length > 0) return { errors: refused }
  const kept = Object.entries(given).filter(([name]) => !SECRETS.includes(name))
  const isWhole = kept.length === Object.keys(given).length
  const { change: update } = isWhole ? { change } : await plan(Object.fromEntries(kept), context)
  return { isNew: false, id: found.user.id, write: writtenBy(update) }
}

export type CheckedEntry = {
  user: Json
  outcome: 'inserted' | 'updated' | 'unchanged' | 'failed'
  errors: EntryError[]
  /** Members of a user that would be changed. */
  changes: string[]
}

export type CheckDeps = Pick<ImportDeps, 'vault' | 'random'> & {
  users(lookup: UserLookup): Promise<StoredUser[]>
  above(kind: 'users' | 'roles', ids: readonly string[]): Promise<ReadonlySet<string>>
}

/** What an import of these entries would do, by the same rules, without a write. */
export async function checkEntries(
  entries: readonly Json[],
  job: Wish,
  context: ImportContext,
  deps: CheckDeps,
): Promise<CheckedEntry[]> {
  const work = { job, context }
  const maker = makerOf(job)
  const refusals = entries.map((entry) => checkEntry(entry, maker))
  const stored = await deps.users(lookupOf(entries.filter((_, number) => refusals[number]?.length === 0) as Json[]))
  const planContext = contextFor(stored, work, deps)
  const earlier = new Set<string>()
  const plans: Planned[] = []
  for (const [number, entry] of entries.entries()) {
    const refused = refusals[number] ?? []
    const keys = refused.length > 0 ? [] : keysOf(entry)
    const isAgain = keys.some((key) => earlier.has(key))
    if (refused.length > 0) plans.push({ errors: refused })
    else if (isAgain && job.settings.upsert !== true) plans.push({ errors: [duplicated('The user already exists')] })
    else plans.push(await planEntry({ connection: context.connection.name, ...objectIn(entry) }, planContext, work))
    for (const key of keys) earlier.add(key)
  }
  const writes = plans.map(writeIn)
  const [users, roles] = await Promise.all([
    deps.above('users', [...new Set(writes.flatMap((write) => (write && !write.isNew ? [write.user.id] : [])))]),
    deps.above('roles', [...new Set(writes.flatMap((write) => write?.roles ?? []))]),
  ])
  return plans.map((plan, number): CheckedEntry => {
    const user = shownOf(entries[number] ?? null)
    const write = writes[number]
    const isAbove = write && (users.has(write.user.id) || (write.roles ?? []).some((id) => roles.has(id)))
    const errors = isAbove ? [INSUFFICIENT_RANK] : 'errors' in plan ? plan.errors : []
    if (errors.length > 0 || 'errors' in plan) return { user, outcome: 'failed', errors, changes: [] }
    if (plan.isNew) return { user, outcome: 'inserted', errors, changes: [] }
    const before = stored.find((each) => each.user.id === plan.id)
    const changes = write && before ? changesOf(write, before) : []
    return { user, outcome: changes.length > 0 ? 'updated' : 'unchanged', errors, changes }
  })
}

function changesOf({ user, roles, factors }: UserWrite, before: StoredUser): string[] {
  const stored = objectIn(JSON.parse(JSON.stringify(before.user)))
  const members = Object.entries(objectIn(JSON.parse(JSON.stringify(user)))).flatMap(([name, value]) =>
    same(value, stored[name] ?? null) ? [] : [memberOf(name)],
  )
  const isOther = roles !== undefined && !same(roles.toSorted(), before.roles.toSorted())
  return [...members, ...(isOther ? ['roles'] : []), ...(factors.length > 0 ? ['mfa_factors'] : [])]
}

/** `givenName` is stored what an entry names `given_name`. */
const memberOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const duplicated = (message: string): EntryError => ({ code: 'DUPLICATED_USER', message })

const isOfAnotherConnection = (
  { user_id }: JsonObject,
  stored: readonly StoredUser[],
  { id }: ConnectionResourceRow,
): boolean =>
  typeof user_id === 'string' &&
  stored.some(
    ({ user, accounts }) => user.id === idOf(user_id) && !accounts.some(({ connectionId }) => connectionId === id),
  )

const writtenBy = (change: Change | undefined): UserWrite | undefined =>
  change?.writes.flatMap((write) => ('run' in write ? [] : [write.row]))[0]

/** The user that the entry names, if it has an account of the connection. */
function existingOf(
  given: JsonObject,
  stored: readonly StoredUser[],
  { id }: ConnectionResourceRow,
): StoredUser | undefined {
  const { ids, emailKeys, usernameKeys } = lookupOf([given])
  return stored.find(({ user, accounts }) =>
    accounts.some(
      ({ connectionId, emailKey, usernameKey }) =>
        connectionId === id &&
        (ids.includes(user.id) || emailKeys.includes(emailKey ?? '') || usernameKeys.includes(usernameKey ?? '')),
    ),
  )
}

/**
 * What names a user, proves an address or ends logins: PATCH /users changes it, with the effects that belong to it
 * (threat-model.md BF1).
 */
function notUpsertable(given: JsonObject, { user, accounts }: StoredUser, { id }: ConnectionResourceRow): EntryError[] {
  const account = accounts.find(({ connectionId }) => connectionId === id)
  const differing = {
    email: typeof given.email === 'string' && canonical(given.email) !== account?.emailKey,
    username: typeof given.username === 'string' && canonical(given.username) !== account?.usernameKey,
    phone_number: given.phone_number !== undefined && given.phone_number !== user.phoneNumber,
    email_verified: given.email_verified !== undefined && given.email_verified !== user.emailVerified,
    phone_verified: given.phone_verified !== undefined && given.phone_verified !== user.phoneVerified,
    blocked: given.blocked !== undefined && given.blocked !== user.blocked,
  }
  return Object.entries(differing)
    .filter(([, differs]) => differs)
    .map(([path]) => ({ code: 'NOT_UPSERTABLE', message: `The ${path} of an existing user cannot be changed`, path }))
}

/** For the entries of a batch. */
const contextFor = (
  stored: readonly StoredUser[],
  { job, context }: Planning,
  { vault, random }: Pick<ImportDeps, 'vault' | 'random'>,
): PlanContext =>
  contextOf({
    tenantId: job.tenantId,
    baseUrl: '',
    stored: { ...NOTHING, connections: [context.connection], roles: context.roles },
    // The operations of users have stores of their own.
    copies: [],
    users: stored,
    vault,
    random,
    templateFault: () => null,
    unusedTexts: () => [],
  })

async function plan(
  given: JsonObject,
  context: PlanContext,
): Promise<{ problems: Problem[]; change: Change | undefined }> {
  await users.plan([given], context)
  context.notApplied.length = 0
  return { problems: context.problems.splice(0), change: context.changes.splice(0)[0] }
}

/** The path begins with the entry: `users["a@b.test"].email`. */
function errorOf({ path, reason }: { path: string; reason: string }): EntryError {
  const inner = path.includes('].') ? path.slice(path.lastIndexOf('].') + 2) : ''
  return { code: 'INVALID_FORMAT', message: reason, ...(inner === '' ? {} : { path: inner }) }
}

/** What cannot be stored is not shown: it is stored with the job. */
function shownOf(entry: Json): Json {
  if (!isJsonObject(entry)) return unstorable(entry) !== null || JSON.stringify(entry).length > MAX_SHOWN ? null : entry
  const isShown = ([name, value]: [string, Json]): boolean =>
    scopesOfMember(name) !== undefined && !SECRETS.includes(name) && unstorable(value) === null
  const shown = Object.fromEntries(Object.entries(entry).filter(isShown))
  if (JSON.stringify(shown).length <= MAX_SHOWN) return shown
  const names = ['user_id', 'email', 'username'].flatMap((name): [string, Json][] => {
    const value = shown[name]
    return typeof value === 'string' && value.length <= MAX_NAME ? [[name, value]] : []
  })
  return Object.fromEntries(names)
}
