// Jobs: imports and exports of users, which run after their request, and the mail that verifies an address.
import * as z from 'zod'
import { linkFor } from '../../accounts/account-link'
import type { AccountMailer } from '../../accounts/account-mail'
import { VERIFY } from '../../accounts/verify-email'
import type { ManagementScope } from '../../apis/management-scopes'
import type { ClientPort } from '../../clients/client'
import { DATABASE } from '../../connections/database-options'
import { DOWNLOAD_PATH, writeDownload } from '../../jobs/download'
import { DEFAULT_FIELDS, HASH_FIELD } from '../../jobs/export'
import type { ExportedFile } from '../../jobs/exported-file'
import { ENTRIES_IN_PART, type Job, type JobType, type NewJob, PART_PURPOSE, type TenantJobStore } from '../../jobs/job'
import type { Json, JsonObject } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { AccountPort } from '../../users/account'
import { conflict, inexistent, invalidBody, lacksScope } from '../errors'
import { type Operation, operationsWith } from '../operation'
import type { ConnectionFinder } from './enabled-connection'
import { type AccountFinder, databaseAccount, identityBody } from './user-account'

export type JobDeps = {
  tenantId: string
  baseUrl: string
  clock: { now(): Date }
  random: Random
  vault: Vault
  clients: Pick<ClientPort, 'find'>
  managedConnections: ConnectionFinder
  jobs: TenantJobStore
  /** Call after a job was made. */
  wakeJobs(): void
  /** The file of a finished export. */
  exportedFile(jobId: string): Promise<ExportedFile | null>
  accountFinder: AccountFinder
  accounts: Pick<AccountPort, 'requestLink'>
  mailer: AccountMailer
}

const operation = operationsWith<JobDeps>()

/** Ten times the vendor's limit. The body is held in memory while it is read. */
export const MAX_IMPORT_BODY = 5 * 1024 * 1024
const MAX_ENTRIES = 20_000
const MAX_DEPTH = 50

const PASSWORD_HASHES: ManagementScope = 'read:password_hashes'

const choice = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

const importForm = z.object({
  users: z.instanceof(Uint8Array, { message: 'must be a file' }),
  connection_id: z.string().min(1).max(300),
  upsert: choice.optional(),
  external_id: z.string().max(500).optional(),
  send_completion_email: choice.optional(),
})

const exportBody = z.object({
  connection_id: z.string().min(1).max(300).nullish(),
  format: z.enum(['json', 'csv']).nullish(),
  limit: z.number().int().min(1).nullish(),
  fields: z
    .array(z.object({ name: z.string().min(1).max(300), export_as: z.string().min(1).max(300).optional() }))
    .min(1)
    .max(100)
    .nullish(),
})

export const jobs: readonly Operation<JobDeps>[] = [
  operation({
    name: 'jobs.users_imports',
    method: 'POST',
    path: '/jobs/users-imports',
    summary: 'Import users from a file',
    scopes: ['create:users'],
    form: true,
    body: importForm,
    maxBody: MAX_IMPORT_BODY,
    status: 202,
    async handle({ body, deps }) {
      const connection = await deps.managedConnections.find(body.connection_id)
      if (!connection) throw inexistent('connection')
      if (connection.strategy !== DATABASE) throw invalidBody('The connection must be a database')
      const entries = entriesOf(body.users)
      const { upsert = false, external_id, send_completion_email = true } = body
      const settings = { upsert, send_completion_email, ...(external_id === undefined ? {} : { external_id }) }
      const job = newJob('users_import', { connectionId: connection.id, settings, total: entries.length }, deps)
      await deps.jobs.insert(job, sealedParts(entries, deps))
      deps.wakeJobs()
      const shown = presentNew(job)
      return { body: shown, after: { ...shown, ...settings, users: entries.length }, id: job.id }
    },
  }),
  operation({
    name: 'jobs.users_exports',
    method: 'POST',
    path: '/jobs/users-exports',
    summary: 'Export users to a file',
    scopes: ['read:users'],
    example: { format: 'json', fields: [{ name: 'email' }] },
    body: exportBody,
    status: 201,
    async handle({ body, actor, deps }) {
      const fields = body.fields ?? [...DEFAULT_FIELDS]
      if (fields.some(({ name }) => name === HASH_FIELD) && !actor.scopes.has(PASSWORD_HASHES))
        throw lacksScope([PASSWORD_HASHES])
      const connectionId = body.connection_id ?? null
      if (connectionId !== null && !(await deps.managedConnections.find(connectionId))) throw inexistent('connection')
      const settings = { format: body.format ?? 'json', fields } as JsonObject
      const job = newJob('users_export', { connectionId, settings, total: body.limit ?? null }, deps)
      await deps.jobs.insert(job, [])
      deps.wakeJobs()
      const shown = { ...presentNew(job), ...settings, ...(body.limit ? { limit: body.limit } : {}) }
      return { body: shown, after: shown, id: job.id }
    },
  }),
  operation({
    name: 'jobs.verification_email',
    method: 'POST',
    path: '/jobs/verification-email',
    summary: 'Mail a user the link that verifies the address',
    scopes: ['update:users'],
    body: z.object({
      user_id: z.string().min(1).max(300),
      client_id: z.string().min(1).max(300).nullish(),
      identity: identityBody.nullish(),
    }),
    status: 201,
    async handle({ body, deps }) {
      if (body.client_id && !(await deps.clients.find(body.client_id))) throw inexistent('client')
      const account = await databaseAccount(body.user_id, body.identity ?? undefined, deps)
      if (account.user.emailVerified) throw conflict('The address is verified already.', 'email_already_verified')
      const context = { clientId: body.client_id ?? null, ip: '', locale: undefined }
      await deps.accounts.requestLink(await linkFor(VERIFY, account, context, deps))
      deps.mailer.wake()
      const settings = { user_id: account.user.id }
      const job = newJob('verification_email', { connectionId: null, settings, total: null }, deps)
      await deps.jobs.insert({ ...job, status: 'completed' }, [])
      return { body: presentNew(job), after: settings, id: job.id }
    },
  }),
  operation({
    name: 'jobs.read',
    method: 'GET',
    path: '/jobs/:id',
    summary: 'Read the state of a job',
    scopes: ['create:users', 'read:users', 'update:users'],
    status: 200,
    async handle({ params, actor, deps }) {
      const job = await existing(params.id, deps)
      return { body: presentJob(job, mayDownload(job, actor.scopes), deps) }
    },
  }),
  operation({
    name: 'jobs.errors',
    method: 'GET',
    path: '/jobs/:id/errors',
    summary: 'List the entries of an import that were refused; 204 if there are none',
    scopes: ['create:users', 'read:users'],
    status: 200,
    async handle({ params, deps }) {
      const { id, failed } = await existing(params.id, deps)
      return failed === 0 ? { empty: true } : { body: await deps.jobs.errors(id) }
    },
  }),
]

async function existing(id: string | undefined, { jobs }: JobDeps): Promise<Job> {
  const job = await jobs.find(id ?? '')
  if (!job) throw inexistent('job')
  return job
}

const newJob = (
  type: JobType,
  more: Pick<NewJob, 'connectionId' | 'settings' | 'total'>,
  { random, clock }: JobDeps,
): NewJob => ({ id: `job_${alphanumeric(random, 16)}`, type, status: 'pending', ...more, createdAt: clock.now() })

/** A JSON array of users, or one user on each line. */
function entriesOf(file: Uint8Array): Json[] {
  const text = decoded(file)
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') throw invalidBody('The file holds no users')
  const entries = text.startsWith('[') ? parsed(text) : linesOf(text)
  if (!Array.isArray(entries)) throw invalidBody('users is neither a JSON array nor JSON lines')
  if (entries.length === 0) throw invalidBody('The file holds no users')
  if (entries.length > MAX_ENTRIES) throw invalidBody(`The file holds more than ${MAX_ENTRIES} users`)
  for (const entry of entries) checkStorable(entry, 0)
  return entries
}

const linesOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsed)

function decoded(file: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw invalidBody('users is not UTF-8')
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw invalidBody('users is neither a JSON array nor JSON lines')
  }
}

/** What a request body must be, too: PostgreSQL holds neither NUL nor lone surrogates. */
function checkStorable(value: Json, depth: number): void {
  if (depth > MAX_DEPTH) throw invalidBody('A user is nested too deeply')
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw invalidBody('A user holds a character that cannot be stored')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || name.includes('\0') || !name.isWellFormed())
      throw invalidBody('A user has a property with a name that cannot be stored')
    checkStorable(member, depth + 1)
  }
}

function sealedParts(entries: readonly Json[], { vault, random }: JobDeps): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_IN_PART)
    parts.push(vault.seal(PART_PURPOSE, JSON.stringify(entries.slice(at, at + ENTRIES_IN_PART)), random))
  return parts
}

const presentNew = ({ id, type, status, connectionId, settings, createdAt }: NewJob): JsonObject => ({
  id,
  type,
  status,
  created_at: createdAt.toISOString(),
  ...(connectionId === null ? {} : { connection_id: connectionId }),
  ...(typeof settings.external_id === 'string' ? { external_id: settings.external_id } : {}),
})

/** A file is for those who may read what is in it. */
function mayDownload({ type, status, settings }: Job, scopes: ReadonlySet<string>): boolean {
  const fields = Array.isArray(settings.fields) ? (settings.fields as { name?: string }[]) : []
  const withHashes = fields.some(({ name }) => name === HASH_FIELD)
  return (
    type === 'users_export' &&
    status === 'completed' &&
    scopes.has('read:users') &&
    (!withHashes || scopes.has(PASSWORD_HASHES))
  )
}

function presentJob(job: Job, withLocation: boolean, deps: JobDeps): JsonObject {
  const { type, done, total, inserted, updated, failed, statusDetails, settings } = job
  const share = job.status === 'completed' ? 100 : total ? Math.min(99, Math.floor((done / total) * 100)) : 0
  return {
    ...presentNew(job),
    ...(type === 'verification_email' ? {} : { percentage_done: share }),
    ...(type === 'users_import' && { summary: { failed, updated, inserted, total: total ?? 0 } }),
    ...(type === 'users_export' && { format: settings.format ?? 'json', fields: settings.fields ?? [] }),
    ...(type === 'users_export' && total !== null && { limit: total }),
    ...(statusDetails !== null && { status_details: statusDetails }),
    ...(withLocation && {
      location: `${deps.baseUrl}${DOWNLOAD_PATH}?file=${writeDownload({ tenantId: deps.tenantId, jobId: job.id }, deps)}`,
    }),
  }
}
