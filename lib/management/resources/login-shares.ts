// Links for people without an account of the console: to a reduced copy of one login (docs/adr/0071), or to a test of logins that the person makes
// (docs/adr/0077). Ours.
import * as z from 'zod'
import type { ConnectionPort } from '../../data/connections/connection'
import { type SharedContent, type SharedTest, sharePath } from '../../data/login-tests/login-share'
import { sharedLoginOf } from '../../data/logins/shared-login'
import type { LinkMaker } from '../../data/tickets/ticket'
import { addSeconds, type Clock } from '../../kernel/clock'
import { objectIn } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import { mint } from '../../kernel/secret'
import { inexistent, invalidBody } from '../operations/errors'
import { answerList, type Page, pageQuery, type Window } from '../operations/list'
import { makerOf } from '../operations/maker'
import { type Actor, operationsWith } from '../operations/operation'
import type { RankDeps } from '../operations/rank'
import { type LoginTestDeps, type TestBody, testBody, testWishOf } from './login-tests'
import { type LoginRecordDeps, OUTCOMES } from './logins'
import type { OrganizationStore } from './organizations'
import type { ManagedUserStore } from './user-list'

const KINDS = ['report', 'test'] as const

/** What a link is about: of a copy, what the login was of; of a test, what it tests. */
type Subjects = {
  clientId: string | null
  clientName: string | null
  connection: string | null
  /** Its id. */
  organization: string | null
  organizationName: string | null
}

export type LoginShareRow = Subjects & {
  id: string
  kind: (typeof KINDS)[number]
  loginId: string | null
  /** Tests that were started, and that may be. */
  tries: number
  maxTries: number
  lastTriedAt: Date | null
  /** Of the last test, as long as its login is stored. */
  lastOutcome: string | null
  lastReason: string | null
  maker: LinkMaker
  createdAt: Date
  expiresAt: Date
  openings: number
  lastOpenedAt: Date | null
}

type Always = 'id' | 'loginId' | 'maxTries' | 'maker' | 'createdAt' | 'expiresAt'

export type NewLoginShare = Pick<LoginShareRow, Always | keyof Subjects> & {
  digest: Uint8Array
  content: SharedContent
  /** By whom the copy is erased: the person of the login, and the address. */
  userId: string | null
  person: string | null
}

export type LoginShareFilter = Partial<
  Record<'kind' | 'loginId' | 'clientId' | 'connection' | 'organization', string | undefined>
>

export type LoginShareStore = {
  insert(share: NewLoginShare): Promise<void>
  /** Those that have not expired. */
  list(
    filter: LoginShareFilter & { now: Date },
    window: Extract<Window, { offset: number }>,
  ): Promise<Page<LoginShareRow>>
  /** Null if it is absent. */
  remove(id: string): Promise<LoginShareRow | null>
}

export type LoginShareDeps = LoginRecordDeps &
  RankDeps &
  Pick<LoginTestDeps, 'clients'> & {
    loginShares: LoginShareStore
    baseUrl: string
    clock: Clock
    random: Random
    connections: Pick<ConnectionPort, 'all'>
    organizations: Pick<OrganizationStore, 'find' | 'findByName'>
    managedUsers: Pick<ManagedUserStore, 'find'>
  }

const operation = operationsWith<LoginShareDeps>()

const ID_CHARACTERS = 16
const DAY_SECONDS = 86_400
const MAX_DAYS = 30
const DEFAULT_DAYS = 7
const MAX_TRIES = 50
const DEFAULT_TRIES = 20

const shown = z
  .object({
    id: z.string(),
    kind: z.enum(KINDS),
    login_id: z.string().nullable(),
    client_id: z.string().nullable(),
    client_name: z.string().nullable(),
    connection: z.string().nullable(),
    organization: z.string().nullable(),
    organization_name: z.string().nullable(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    created_by: z.object({ user_id: z.string().optional(), client_id: z.string().optional() }),
    openings: z.number(),
    last_opened_at: z.iso.datetime().nullable(),
    tries: z.number(),
    max_tries: z.number(),
    last_tried_at: z.iso.datetime().nullable(),
    last_outcome: z.enum(OUTCOMES).nullable(),
    last_reason: z.string().nullable(),
  })
  .meta({ id: 'LoginShare' })
const made = shown.extend({ url: z.string() }).meta({ id: 'NewLoginShare' })

const days = z.number().int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS).meta({
  title: 'Opens for',
  help: 'After that, the link and what it shows are gone.',
  group: 'share',
})

const newShare = z.strictObject({ login_id: z.string().min(1).max(100), days })

const newTestShare = z.strictObject({
  ...testBody,
  parameters: testBody.parameters.meta({
    title: 'Parameters',
    help: 'Of the request that the test makes, such as `login_hint`. The page of the link shows them.',
    group: 'share',
  }),
  days,
  tries: z
    .number()
    .int()
    .min(1)
    .max(MAX_TRIES)
    .default(DEFAULT_TRIES)
    .meta({
      title: 'Logins',
      help: `How often a login can be started by the link: ${MAX_TRIES} at most.`,
      group: 'share',
    }),
})

const makerNamed = (maker: LinkMaker): Record<string, string> => {
  if ('client' in maker) return { client_id: maker.client }
  if ('administrator' in maker) return { user_id: maker.administrator }
  return { user_id: 'user' in maker ? maker.user : maker.member }
}

const present = (row: LoginShareRow) => ({
  ...{ id: row.id, kind: row.kind, login_id: row.loginId },
  ...{ client_id: row.clientId, client_name: row.clientName, connection: row.connection },
  ...{ organization: row.organization, organization_name: row.organizationName },
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  created_by: makerNamed(row.maker),
  openings: row.openings,
  last_opened_at: row.lastOpenedAt?.toISOString() ?? null,
  ...{ tries: row.tries, max_tries: row.maxTries },
  last_tried_at: row.lastTriedAt?.toISOString() ?? null,
  ...{ last_outcome: row.lastOutcome, last_reason: row.lastReason },
})

/** As the audit log names a link. */
const audited = (row: ReturnType<typeof present>): Record<string, string> => {
  const { kind, login_id, client_id, connection, organization, expires_at } = row
  const members = { kind, login_id, client_id, connection, organization, expires_at }
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null))
}

const UNUSED = {
  ...{ openings: 0, lastOpenedAt: null, tries: 0, lastTriedAt: null, lastOutcome: null, lastReason: null },
}

/** Stores a link, whose secret is in this answer alone. */
async function makeShare(
  share: Omit<NewLoginShare, 'id' | 'digest' | 'createdAt' | 'expiresAt'>,
  lasts: number,
  deps: LoginShareDeps,
) {
  const secret = mint(deps.random)
  const createdAt = deps.clock.now()
  const whole: NewLoginShare = {
    ...share,
    id: `lsh_${alphanumeric(deps.random, ID_CHARACTERS)}`,
    digest: secret.digest,
    createdAt,
    expiresAt: addSeconds(createdAt, lasts * DAY_SECONDS),
  }
  await deps.loginShares.insert(whole)
  const row = present({ ...whole, kind: share.content.kind, ...UNUSED })
  return {
    body: { ...row, url: deps.baseUrl + sharePath(secret.plain) },
    after: audited(row),
    id: whole.id,
  }
}

/** The names of what a test is of. A link that names something absent would fail for its holder alone. */
async function subjectsOf({ client_id, connection, organization }: TestBody, deps: LoginShareDeps): Promise<Subjects> {
  const client = client_id === undefined ? null : await deps.clients.find(client_id)
  if (connection !== undefined && !(await deps.connections.all()).some(({ name }) => name === connection))
    throw invalidBody({ path: 'connection', message: 'No connection has this name' })
  const found =
    organization === undefined
      ? null
      : ((await deps.organizations.find(organization)) ?? (await deps.organizations.findByName(organization)))
  if (organization !== undefined && !found)
    throw invalidBody({ path: 'organization', message: 'No organization has this id or name' })
  const display = objectIn(found?.settings).display_name
  return {
    clientId: client?.clientId ?? null,
    clientName: client?.name ?? null,
    connection: connection ?? null,
    organization: found?.id ?? null,
    organizationName: typeof display === 'string' && display !== '' ? display : (found?.name ?? null),
  }
}

/** The name of an administrator, for a stranger: an address is none. */
async function strangersName({ userId }: Pick<Actor, 'userId'>, deps: LoginShareDeps): Promise<string | null> {
  const { name } = objectIn(userId === null ? null : await deps.managedUsers.find(userId))
  return typeof name === 'string' && name !== '' && !name.includes('@') ? name : null
}

export const loginShares = {
  list: operation({
    name: 'login_shares.list',
    method: 'GET',
    path: '/login-shares',
    summary: 'List the links to copies and to tests of logins that have not expired, newest first',
    scopes: ['read:logins'],
    list: 'login_shares',
    query: z.object({
      ...pageQuery,
      kind: z.enum(KINDS).optional(),
      login_id: z.string().max(100).optional(),
      client_id: z.string().max(200).optional(),
      connection: z.string().max(200).optional(),
      organization: z.string().max(200).optional(),
    }),
    status: 200,
    answer: z.array(shown),
    async handle({ query, deps }) {
      const { kind, login_id: loginId, client_id: clientId, connection, organization } = query
      const filter = { kind, loginId, clientId, connection, organization, now: deps.clock.now() }
      const list = {
        key: 'login_shares',
        load: (window: Window) =>
          deps.loginShares.list(filter, 'offset' in window ? window : { offset: 0, limit: window.limit }),
        present,
        id: ({ id }: LoginShareRow) => id,
      }
      return { body: await answerList(query, list) }
    },
  }),
  create: operation({
    name: 'login_shares.create',
    console: true,
    method: 'POST',
    path: '/login-shares',
    summary: 'Make a link to a reduced copy of a login',
    scopes: ['create:login_shares'],
    needs: ['read:logins'],
    secrets: { url: { scopes: ['create:login_shares'], otherwise: 'masked' } },
    target: 'tenant',
    example: { login_id: '<login>', days: 7 },
    body: newShare,
    status: 201,
    answer: made,
    async handle({ body, actor, deps }) {
      const found = await deps.loginRecords.find(body.login_id)
      if (!found) throw inexistent('login')
      const { clientId, clientName, connection, userId, person } = found
      const share = {
        content: { kind: 'report' as const, login: sharedLoginOf(found) },
        ...{ loginId: found.id, userId, person, clientId, clientName, connection },
        ...{ organization: null, organizationName: null, maxTries: 0 },
        maker: makerOf(actor, 'create:login_shares', deps),
      }
      return makeShare(share, body.days, deps)
    },
  }),
  /** It needs both scopes: the link hands on what a test does. */
  createTest: operation({
    name: 'login_shares.create_test',
    console: true,
    method: 'POST',
    path: '/login-shares/tests',
    summary: 'Make a link by which a person without an account tests a login',
    scopes: ['create:login_shares'],
    needs: ['create:login_tests'],
    secrets: { url: { scopes: ['create:login_shares'], otherwise: 'masked' } },
    target: 'tenant',
    example: { client_id: '<client>', days: 7 },
    body: newTestShare,
    status: 201,
    answer: made,
    async handle({ body: { days: lasts, tries, ...wished }, actor, deps }) {
      const wish = await testWishOf(wished, deps)
      const subjects = await subjectsOf(wished, deps)
      const test: SharedTest = {
        ...{ wish, application: subjects.clientName, connection: subjects.connection },
        ...{ organization: subjects.organizationName, maker: await strangersName(actor, deps) },
      }
      const share = {
        ...subjects,
        content: { kind: 'test' as const, test },
        // The person whom it names, by whom the link is erased.
        ...{ loginId: null, userId: null, person: wish.parameters.login_hint ?? null, maxTries: tries },
        maker: makerOf(actor, 'create:login_shares', deps, ['create:login_tests']),
      }
      return makeShare(share, lasts, deps)
    },
  }),
  delete: operation({
    name: 'login_shares.delete',
    console: true,
    method: 'DELETE',
    path: '/login-shares/:id',
    summary: 'Withdraw a link to a copy or to a test of a login',
    scopes: ['delete:login_shares'],
    target: 'tenant',
    status: 204,
    async handle({ params, deps }) {
      const removed = await deps.loginShares.remove(params.id)
      if (!removed) throw inexistent('login_share')
      return { before: audited(present(removed)) }
    },
  }),
}
