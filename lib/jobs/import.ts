// Imports users in the vendor's bulk-import shape, entry by entry. An entry is one transaction with the progress of the job, so each
// is applied exactly once, whichever processes die.
// - An existing user is changed only with `upsert`, and then keeps its password, its second factors, its names and what is verified.
// - Hashes are made before the transaction.
import type { Clock } from '../kernel/clock'
import { isJsonObject, type Json, type JsonObject } from '../kernel/json'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import type { PlanContext } from '../tenant-file/context'
import type { Change, ConnectionRow, Credential, RoleRow, StoredUser } from '../tenant-file/model'
import { userEntry } from '../tenant-file/sections/user-entry'
import { lookupOf, users } from '../tenant-file/sections/users'
import type { PasswordHasher } from '../users/password'
import { canonical } from '../users/user'
import {
  ENTRIES_IN_PART,
  type EntryError,
  type EntryResult,
  type Job,
  type JobStore,
  PART_PURPOSE,
  type Step,
} from './job'

export type ImportDeps = {
  store: JobStore
  vault: Vault
  random: Random
  clock: Clock
  hasher: Pick<PasswordHasher, 'keepImported'>
}

/** Shown of a refused entry. */
const SECRETS = ['password_hash', 'custom_password_hash', 'mfa_factors']
/** Of the tenant file alone. */
const NOT_IMPORTED = ['password', 'connection']
const RETRIES = 5

type Context = { connection: ConnectionRow; roles: RoleRow[] }

/** Works until the end of the job, or until `isOver`. True at the end; null where another process has the job now. */
export async function runImport(
  job: Job,
  deps: ImportDeps,
  step: () => Step,
  isOver: () => boolean,
): Promise<boolean | null> {
  const context = await deps.store.importContext(job)
  if (!context) {
    await deps.store.finish(job, { status: 'failed', details: 'The connection was deleted.' }, deps.clock.now())
    return null
  }
  let entries: { part: number; of: readonly Json[] } | undefined
  for (let number = job.done; number < (job.total ?? 0); number += 1) {
    if (isOver()) return false
    const part = Math.floor(number / ENTRIES_IN_PART)
    if (entries?.part !== part) {
      const of = await readPart(job.id, part, deps)
      if (!of) return null
      entries = { part, of }
    }
    const entry = entries.of[number % ENTRIES_IN_PART] ?? null
    if ((await importEntry(entry, number, { job, context, step }, deps)) === null) return null
  }
  return true
}

/** Null where another process has finished the job. */
async function readPart(jobId: string, number: number, { store, vault }: ImportDeps): Promise<readonly Json[] | null> {
  const sealed = await store.part(jobId, number)
  if (!sealed) return null
  const plain = vault.open(PART_PURPOSE, sealed)
  if (!plain) throw new Error('a part of the import cannot be read')
  return JSON.parse(plain.toString('utf8')) as Json[]
}

type Work = { job: Job; context: Context; step: () => Step }

async function importEntry(entry: Json, number: number, work: Work, deps: ImportDeps): Promise<EntryResult | null> {
  const { job, step } = work
  const { store } = deps
  const refused = checkEntry(entry)
  if (refused.length > 0)
    return store.doEntry(job, number, step(), async () => ({ user: shownOf(entry), errors: refused }))
  const given = { ...(entry as JsonObject), connection: work.context.connection.name }
  for (let attempt = 1; ; attempt += 1) {
    const intended = planEntry(given, await store.users(job.tenantId, lookupOf([given])), work, deps)
    const hash = 'credential' in intended ? await hashOf(intended.credential, deps) : undefined
    try {
      return await store.doEntry(job, number, step(), async ({ users: read, write }) => {
        const plan = planEntry(given, await read(lookupOf([given])), work, deps)
        if ('errors' in plan) return { user: shownOf(entry), errors: plan.errors }
        if (plan.credential && hash === undefined) throw new UserChanged()
        const row = plan.change?.write
        if (row?.table === 'user')
          await write(plan.credential && hash !== undefined ? { ...row.row, passwordHash: hash } : row.row)
        return plan.isNew ? 'inserted' : 'updated'
      })
    } catch (error) {
      // Another request made or changed the user meanwhile: the next plan sees it.
      if (attempt === RETRIES || !(error instanceof UserChanged)) throw error
    }
  }
}

/** Thrown by a transaction that must be planned again. */
export class UserChanged extends Error {}

function checkEntry(entry: Json): EntryError[] {
  if (!isJsonObject(entry)) return [{ code: 'INVALID_FORMAT', message: 'A user must be an object' }]
  return Object.keys(entry)
    .filter((name) => !Object.hasOwn(userEntry.shape, name) || NOT_IMPORTED.includes(name))
    .map((name) => ({ code: 'ADDITIONAL_PROPERTY', message: `Additional properties not allowed: ${name}`, path: name }))
}

type Planned =
  | { errors: EntryError[] }
  | { isNew: boolean; change: Change | undefined; credential: Credential | undefined }

function planEntry(given: JsonObject, stored: readonly StoredUser[], work: Work, deps: ImportDeps): Planned {
  const planned = plan(given, stored, work, deps)
  if (planned.problems.length > 0) return { errors: planned.problems.map(errorOf) }
  const [change] = planned.changes
  if (change?.action === 'create') return { isNew: true, change, credential: change.credential }
  if (work.job.settings.upsert !== true)
    return { errors: [{ code: 'DUPLICATED_USER', message: 'The user already exists' }] }
  const refused = notUpsertable(given, stored, work.context.connection)
  if (refused.length > 0) return { errors: refused }
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !SECRETS.includes(name)))
  return { isNew: false, change: plan(kept, stored, work, deps).changes[0], credential: undefined }
}

/**
 * What names a user, proves an address or ends logins: PATCH /users changes it, with the effects that belong to it
 * (threat-model.md BF1).
 */
function notUpsertable(given: JsonObject, stored: readonly StoredUser[], { id }: ConnectionRow): EntryError[] {
  const [found] = stored.filter(({ accounts }) => accounts.some(({ connectionId }) => connectionId === id))
  const account = found?.accounts.find(({ connectionId }) => connectionId === id)
  if (!found || !account)
    return [{ code: 'DUPLICATED_USER', message: 'The user_id belongs to a user of another connection' }]
  const { user } = found
  const differing = {
    email: typeof given.email === 'string' && canonical(given.email) !== account.emailKey,
    username: typeof given.username === 'string' && canonical(given.username) !== account.usernameKey,
    phone_number: given.phone_number !== undefined && given.phone_number !== user.phoneNumber,
    email_verified: given.email_verified !== undefined && given.email_verified !== user.emailVerified,
    phone_verified: given.phone_verified !== undefined && given.phone_verified !== user.phoneVerified,
    blocked: given.blocked !== undefined && given.blocked !== user.blocked,
  }
  return Object.entries(differing)
    .filter(([, differs]) => differs)
    .map(([path]) => ({ code: 'NOT_UPSERTABLE', message: `The ${path} of an existing user cannot be changed`, path }))
}

function plan(given: JsonObject, stored: readonly StoredUser[], { job, context }: Work, deps: ImportDeps): PlanContext {
  const { vault, random } = deps
  const { connection, roles } = context
  const planned: PlanContext = {
    tenantId: job.tenantId,
    baseUrl: '',
    stored: { tenant: null, clients: [], apis: [], clientGrants: [], connections: [connection], roles, actions: [] },
    users: stored,
    vault,
    random,
    changes: [],
    notApplied: [],
    problems: [],
    secrets: [],
  }
  users.plan([given], planned)
  return planned
}

/** The path begins with the entry: `users["a@b.test"].email`. */
function errorOf({ path, reason }: { path: string; reason: string }): EntryError {
  const inner = path.includes('].') ? path.slice(path.lastIndexOf('].') + 2) : ''
  return { code: 'INVALID_FORMAT', message: reason, ...(inner === '' ? {} : { path: inner }) }
}

const hashOf = async (credential: Credential | undefined, { hasher }: ImportDeps): Promise<string | undefined> =>
  credential?.kind === 'imported' ? hasher.keepImported(credential.hash) : undefined

const shownOf = (entry: Json): Json =>
  isJsonObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([name]) => !SECRETS.includes(name))) : entry
