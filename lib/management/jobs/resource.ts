// Jobs: imports and exports of users, which run after their request, and the mail that verifies an address.
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import type { ClientPort } from '../../data/clients/client'
import { DATABASE } from '../../data/connections/database-options'
import type { AccountPort } from '../../data/users/account'
import { linkFor } from '../../identity/accounts/account-link'
import { type AccountMailer, mailableAddress } from '../../identity/accounts/account-mail'
import { VERIFY } from '../../identity/accounts/verify-email'
import { addSeconds } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { type Json, type JsonObject, objectsIn } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { conflict, inexistent, invalidBody, lacksScope } from '../operations/errors'
import { type Actor, operationsWith, type ReceivedFile } from '../operations/operation'
import { aboveOf, type RankDeps } from '../operations/rank'
import type { ConnectionFinder } from '../resources/enabled-connection'
import { existingOrganization, mailedOrganization, type OrganizationStore } from '../resources/organizations'
import { type AccountFinder, databaseAccount, identityBody } from '../resources/user-account'
import type { ManagedUserStore } from '../resources/user-list'
import { DOWNLOAD_PATH, writeDownload } from './download'
import { UnreadableFile } from './entry-reader'
import { DEFAULT_FIELDS, HASH_FIELD } from './export'
import type { ExportedFile } from './exported-file'
import { checkEntries } from './import'
import { JOB_STATUSES, JOB_TYPES, type Job, type JobType, type NewJob, type TenantJobStore } from './job'
import { storeUpload } from './upload'

export type JobDeps = RankDeps & {
  tenantId: string
  baseUrl: string
  clock: { now(): Date }
  random: Random
  vault: Vault
  clients: Pick<ClientPort, 'find'>
  managedConnections: ConnectionFinder
  jobs: TenantJobStore
  maxImportBytes: number
  /** Call after a job was made. */
  wakeJobs(): void
  /** The file of a finished export. */
  exportedFile(jobId: string): Promise<ExportedFile | null>
  accountFinder: AccountFinder
  managedUsers: Pick<ManagedUserStore, 'find'>
  settings: { tenant: { support_email?: string | undefined } }
  accounts: Pick<AccountPort, 'requestLink'>
  mailer: AccountMailer
  organizations: Pick<OrganizationStore, 'find'>
}

const operation = operationsWith<JobDeps>()

/** Unfinished imports of a tenant, as at the vendor. */
const MAX_IMPORTS = 2
/** Longer than an adapter lets a request arrive. */
const MAX_UPLOAD_SECONDS = 3600

const PASSWORD_HASHES: ManagementScope = 'read:password_hashes'

const choice = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

/** The file of an import, stored. */
class UploadedUsers implements ReceivedFile {
  constructor(
    readonly jobId: string,
    readonly entries: number,
    readonly digest: string,
    readonly discard: () => Promise<void>,
  ) {}

  toJSON(): string {
    return this.digest
  }
}

const importForm = z.object({
  users: z.instanceof(UploadedUsers, { message: 'must be a file' }),
  connection_id: z.string().min(1).max(300),
  upsert: choice.optional(),
  external_id: z.string().max(500).optional(),
  send_completion_email: choice.optional(),
})

const exportBody = z.object({
  connection_id: z.string().min(1).max(300).nullish().meta({ title: 'Connection' }),
  format: z
    .enum(['json', 'csv'])
    .nullish()
    .meta({ title: 'Format', options: { json: 'JSON, a user on each line', csv: 'CSV' } }),
  limit: z.number().int().min(1).nullish(),
  fields: z
    .array(z.object({ name: z.string().min(1).max(300), export_as: z.string().min(1).max(300).optional() }))
    .min(1)
    .max(100)
    .nullish()
    .meta({ title: 'Fields' }),
})

const fields = z.array(z.object({ name: z.string(), export_as: z.string().optional() }))

const newShown = z.object({
  id: z.string(),
  type: z.enum(JOB_TYPES),
  status: z.enum(JOB_STATUSES),
  created_at: z.iso.datetime(),
  connection_id: z.string().optional(),
  external_id: z.string().optional(),
})
const newExport = newShown.extend({ format: z.enum(['json', 'csv']), fields, limit: z.number().optional() })
const shown = newShown
  .extend({
    percentage_done: z.number().optional(),
    summary: z
      .object({ failed: z.number(), updated: z.number(), inserted: z.number(), total: z.number() })
      .optional()
      .meta({ description: 'Of an import' }),
    format: newExport.shape.format.optional(),
    fields: fields.optional(),
    limit: z.number().optional(),
    status_details: z.string().optional(),
    location: z.string().optional().meta({ description: 'The address of the file of an export' }),
  })
  .meta({ id: 'Job' })
const refusedEntry = z.object({
  number: z.number().meta({ description: 'The place of the entry in the file, from 1' }),
  user: z.json(),
  errors: z.array(z.object({ code: z.string(), message: z.string(), path: z.string().optional() })),
})

const checkedEntry = refusedEntry.extend({
  outcome: z.enum(['inserted', 'updated', 'unchanged', 'failed']),
  changes: z.array(z.string()).meta({ description: 'Members of the user that would be changed' }),
})

/** Entries that one request may check. */
const MAX_CHECKED = 100

export const jobs = {
  usersImports: operation({
    name: 'jobs.users_imports',
    method: 'POST',
    path: '/jobs/users-imports',
    summary: 'Import users from a file',
    scopes: ['create:users'],
    // Each row is judged when it is imported (lib/management/jobs/import.ts).
    target: () => ({}),
    guarded: { 'update:users': ['upsert'] },
    form: { files: { users: receiveUsers }, maxBytes: ({ maxImportBytes }) => maxImportBytes },
    body: importForm,
    status: 202,
    answer: newShown,
    async handle({ body, actor, deps }) {
      const connection = await deps.managedConnections.find(body.connection_id)
      if (!connection) throw inexistent('connection')
      if (connection.strategy !== DATABASE) throw invalidBody('The connection must be a database')
      const { users, upsert = false, external_id, send_completion_email = true } = body
      const notify = send_completion_email ? await notified(actor, deps) : undefined
      const settings = {
        upsert,
        send_completion_email,
        ...(external_id === undefined ? {} : { external_id }),
        ...(notify === undefined ? {} : { notify }),
      }
      const more = {
        connectionId: connection.id,
        settings: { ...settings, maker: makerOf(actor, deps) },
        total: users.entries,
      }
      const job = { ...newJob('users_import', more, deps), id: users.jobId }
      await deps.jobs.submit(job)
      deps.wakeJobs()
      const shown = presentNew(job)
      return { body: shown, after: { ...shown, ...settings, users: users.entries }, id: job.id }
    },
  }),
  usersImportsCheck: operation({
    name: 'jobs.users_imports_check',
    method: 'POST',
    path: '/jobs/users-imports/check',
    summary: 'Say what an import of these users would do, without doing it',
    scopes: ['create:users'],
    // It changes nothing; whom the import may not act on is part of the answer.
    target: 'tenant',
    audited: false,
    guarded: { 'update:users': ['upsert'] },
    example: { connection_id: '<database>', users: [{ email: 'ada@example.com' }] },
    body: z.object({
      connection_id: z.string().min(1).max(300),
      upsert: z.boolean().optional(),
      users: z.array(z.json()).min(1).max(MAX_CHECKED),
    }),
    status: 200,
    answer: z.array(checkedEntry),
    async handle({ body, actor, deps }) {
      const { connection_id, upsert = false, users } = body
      const context = await deps.jobs.importContext(connection_id)
      if (!context) throw inexistent('connection')
      if (context.connection.strategy !== DATABASE) throw invalidBody('The connection must be a database')
      const { tenantId, jobs, vault, random } = deps
      const wish = { tenantId, settings: { upsert, maker: makerOf(actor, deps) } }
      const checked = await checkEntries(users as Json[], wish, context, {
        ...{ vault, random, users: jobs.users },
        above: (kind, ids) => aboveOf(actor, kind, ids, deps),
      })
      return { body: checked.map((each, place) => ({ number: place + 1, ...each })) }
    },
  }),
  usersExports: operation({
    name: 'jobs.users_exports',
    console: true,
    method: 'POST',
    path: '/jobs/users-exports',
    summary: 'Export users to a file',
    scopes: ['read:users'],
    target: 'tenant',
    example: { format: 'json', fields: [{ name: 'email' }] },
    body: exportBody,
    status: 201,
    answer: newExport,
    async handle({ body, actor, deps }) {
      const fields = body.fields ?? [...DEFAULT_FIELDS]
      if (fields.some(({ name }) => name === HASH_FIELD) && !actor.scopes.has(PASSWORD_HASHES))
        throw lacksScope([PASSWORD_HASHES])
      const connectionId = body.connection_id ?? null
      if (connectionId !== null && !(await deps.managedConnections.find(connectionId))) throw inexistent('connection')
      const format = body.format ?? 'json'
      const settings: JsonObject = { format, fields, ...(actor.userId !== null && { by: actor.userId }) }
      const job = newJob('users_export', { connectionId, settings, total: body.limit ?? null }, deps)
      await deps.jobs.insert(job)
      deps.wakeJobs()
      const shown = { ...presentNew(job), format, fields, ...(body.limit ? { limit: body.limit } : {}) }
      return { body: shown, after: shown, id: job.id }
    },
  }),
  verificationEmail: operation({
    name: 'jobs.verification_email',
    console: true,
    example: { user_id: '<user>' },
    method: 'POST',
    path: '/jobs/verification-email',
    summary: 'Mail a user the link that verifies the address',
    scopes: ['update:users'],
    target: ({ body }) => ({ users: [body.user_id] }),
    body: z.object({
      user_id: z.string().min(1).max(300),
      client_id: z.string().min(1).max(300).nullish(),
      identity: identityBody.nullish(),
      organization_id: z.string().min(1).max(300).nullish(),
    }),
    status: 201,
    answer: newShown,
    async handle({ body, deps }) {
      if (body.client_id && !(await deps.clients.find(body.client_id))) throw inexistent('client')
      const organization = body.organization_id ? await existingOrganization(body.organization_id, deps) : null
      const account = await databaseAccount(body.user_id, body.identity ?? undefined, deps)
      if (account.user.emailVerified) throw conflict('The address is verified already.', 'email_already_verified')
      const context = {
        clientId: body.client_id ?? null,
        ip: '',
        locale: undefined,
        organization: organization && mailedOrganization(organization),
      }
      await deps.accounts.requestLink(await linkFor(VERIFY, account, context, deps))
      deps.mailer.wake()
      const settings = { user_id: account.user.id }
      const job = newJob('verification_email', { connectionId: null, settings, total: null }, deps)
      await deps.jobs.insert({ ...job, status: 'completed' })
      return { body: presentNew(job), after: settings, id: job.id }
    },
  }),
  read: operation({
    name: 'jobs.read',
    method: 'GET',
    path: '/jobs/:id',
    summary: 'Read the state of a job',
    scopes: ['create:users', 'read:users', 'update:users'],
    secrets: { location: { scopes: ['read:users'], otherwise: 'absent' } },
    status: 200,
    answer: shown,
    async handle({ params, actor, deps }) {
      const job = await existing(params.id, deps)
      return { body: presentJob(job, mayDownload(job, actor.scopes), deps) }
    },
  }),
  errors: operation({
    name: 'jobs.errors',
    method: 'GET',
    path: '/jobs/:id/errors',
    summary: 'List the entries of an import that were refused; 204 if there are none',
    scopes: ['create:users', 'read:users'],
    status: 200,
    answer: z.array(refusedEntry),
    async handle({ params, deps }) {
      const { id, failed } = await existing(params.id, deps)
      return failed === 0 ? { empty: true } : { body: await deps.jobs.errors(id) }
    },
  }),
}

/** The address of the person who made the import; for a client, the tenant's support address. */
async function notified({ userId }: Actor, { managedUsers, settings }: JobDeps): Promise<string | undefined> {
  const { support_email: email = null } = settings.tenant
  const person = userId === null ? { email } : (await managedUsers.find(userId))?.user
  return (person && mailableAddress(person)) ?? undefined
}

const makerOf = ({ scopes }: Actor, { rank }: JobDeps): JsonObject => ({
  audience: rank.audience,
  scopes: [...scopes],
})

async function existing(id: string | undefined, { jobs }: JobDeps): Promise<ApiJob> {
  const job = await jobs.find(id ?? '')
  if (!job || !isOfApi(job)) throw inexistent('job')
  return job
}

type ApiJob = Job & { type: JobType }

const isOfApi = (job: Job): job is ApiJob => job.type !== 'people_file'

const newJobId = ({ random }: JobDeps): string => `job_${alphanumeric(random, 16)}`

const newJob = (type: JobType, more: Pick<NewJob, 'connectionId' | 'settings' | 'total'>, deps: JobDeps): NewJob => ({
  id: newJobId(deps),
  type,
  status: 'pending',
  ...more,
  createdAt: deps.clock.now(),
})

async function receiveUsers(file: AsyncIterable<Uint8Array>, deps: JobDeps): Promise<UploadedUsers> {
  const { jobs, clock } = deps
  const jobId = newJobId(deps)
  const at = clock.now()
  const staleBefore = addSeconds(at, -MAX_UPLOAD_SECONDS)
  if (!(await jobs.beginUpload(jobId, { at, staleBefore, most: MAX_IMPORTS })))
    throw new DomainError(
      'too_many_requests',
      `There are ${MAX_IMPORTS} active import users jobs, please wait until some of them are finished and try again`,
    )
  // What remains after a failure is removed as stale.
  const discard = (): Promise<void> => jobs.discardUpload(jobId).catch(() => {})
  try {
    const addPart = (number: number, sealed: Uint8Array) => jobs.addPart(jobId, number, sealed)
    const { entries, digest } = await storeUpload(file, { ...deps, addPart })
    return new UploadedUsers(jobId, entries, digest, discard)
  } catch (error) {
    await discard()
    throw error instanceof UnreadableFile ? invalidBody(error.message) : error
  }
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
  const withHashes = objectsIn(settings.fields).some(({ name }) => name === HASH_FIELD)
  return (
    type === 'users_export' &&
    status === 'completed' &&
    scopes.has('read:users') &&
    (!withHashes || scopes.has(PASSWORD_HASHES))
  )
}

function presentJob(job: ApiJob, withLocation: boolean, deps: JobDeps): JsonObject {
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
