// Why a person cannot sign in: what a login would ask, in its order, answered from the same facts and by the same rules, without any
// side effect. Actions, scripts and captchas are not run.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { type Connection, type ConnectionPort, isDatabase, isEnabledFor } from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { TenantSettings } from '../../data/tenants/settings'
import type { AccountPort } from '../../data/users/account'
import type { AccountDeletionPort } from '../../data/users/account-deletion'
import type { ManagedUser } from '../../data/users/managed-user'
import type { FactorListDeps } from '../../identity/mfa/enrolled'
import { listFactors } from '../../identity/mfa/enrolled'
import { isRequired, mfaDemand } from '../../identity/mfa/policy'
import { hintOf, type Reason } from '../../kernel/reasons'
import { inexistent, invalidQuery, lacksScope } from '../operations/errors'
import type { Actor } from '../operations/operation'
import { operationsWith } from '../operations/operation'
import { type LogDeps, type LogRecord, reachOf } from './logs'
import type { OrganizationConnectionStore } from './organization-connections'
import type { OrganizationMemberStore } from './organization-members'
import type { OrganizationStore } from './organizations'
import type { UserBlockDeps } from './user-blocks'
import type { ManagedUserStore } from './user-list'

export type SignInCheckDeps = LogDeps &
  UserBlockDeps &
  FactorListDeps & {
    settings: TenantSettings
    accounts: Pick<AccountPort, 'ofUser'>
    clients: Pick<ClientPort, 'find'>
    connections: Pick<ConnectionPort, 'all'>
    managedUsers: Pick<ManagedUserStore, 'find'>
    accountDeletions: Pick<AccountDeletionPort, 'find'>
    organizations: Pick<OrganizationStore, 'find'>
    organizationConnections: Pick<OrganizationConnectionStore, 'find'>
    organizationMembers: Pick<OrganizationMemberStore, 'areMembers'>
  }

const check = z.object({
  check: z.enum([
    'account',
    'application',
    'organization',
    'connection',
    'attempts',
    'password',
    'block',
    'address',
    'deletion',
    'factor',
    'membership',
  ]),
  /** `notice`: it does not refuse a login by itself. */
  state: z.enum(['ok', 'failed', 'notice']),
  reason: z.string().optional(),
  hint: z.string().optional(),
  connections: z.array(z.string()).optional(),
  ips: z.array(z.string()).optional(),
  count: z.number().optional(),
  at: z.iso.datetime().optional(),
  /** False of an account that has none to type. */
  has_password: z.literal(false).optional(),
})

type Check = z.output<typeof check>

const failed = (name: Check['check'], reason: Reason, more: Partial<Check> = {}): Check => ({
  check: name,
  state: 'failed',
  reason,
  hint: hintOf(reason) ?? '',
  ...more,
})

const ok = (name: Check['check'], more: Partial<Check> = {}): Check => ({ check: name, state: 'ok', ...more })

const text = z.string().min(1).max(300).optional()

type SignInQuestion = { user: ManagedUser; wanted: string | undefined; deps: SignInCheckDeps }

export const userSignInCheck = {
  signInCheck: operationsWith<SignInCheckDeps>()({
    name: 'users.sign_in_check',
    method: 'GET',
    path: '/users/:id/sign-in-check',
    summary: 'Say what keeps a user from signing in',
    scopes: ['read:users'],
    query: z.object({ client_id: text, connection: text, organization: text }),
    status: 200,
    answer: z.object({ can_sign_in: z.boolean(), checks: z.array(check) }),
    async handle({ params, query, actor, deps }) {
      const user = await deps.managedUsers.find(params.id ?? '')
      if (!user) throw inexistent('user')
      const { client_id: clientId, connection: wanted, organization } = query
      if (organization !== undefined && !actor.scopes.has('read:organization_members'))
        throw lacksScope(['read:organization_members'])
      const question = { user, wanted, deps }
      const client = clientId === undefined ? null : await deps.clients.find(clientId)
      if (clientId !== undefined && !client) throw invalidQuery('client_id is the id of no application')
      const own = await ownConnections(question)
      const usable = client ? own.filter((each) => isEnabledFor(each, client)) : own
      const inOrganization = organization === undefined ? null : await standingIn(organization, usable, question)
      const ways = inOrganization?.connections ?? usable
      const checks: Check[] = [
        accountCheck(own, question),
        ...(inOrganization ? [inOrganization.check] : []),
        connectionCheck(own, ways, client !== null || inOrganization !== null),
        await attemptsCheck(ways, question),
        ...(await passwordChecks(ways, actor, question)),
        user.user.blocked ? failed('block', 'user_blocked') : ok('block'),
        addressCheck(ways, user),
        await deletionCheck(user, deps),
        ...(client ? [await factorCheck(user, client, deps)] : []),
        ...(inOrganization?.membership ? [inOrganization.membership] : []),
      ]
      return { body: { can_sign_in: checks.every(({ state }) => state !== 'failed'), checks } }
    },
  }),
}

/** Those in which the user has an account, limited to the one that was named. */
async function ownConnections({ user, wanted, deps }: SignInQuestion): Promise<Connection[]> {
  const names = user.identities.map(({ connection }) => connection)
  const all = await deps.connections.all()
  return all.filter(({ name }) => names.includes(name) && (wanted === undefined || name === wanted))
}

const namesOf = (connections: readonly Connection[]): string[] => connections.map(({ name }) => name)

const accountCheck = (own: readonly Connection[], { user }: SignInQuestion): Check =>
  own.length === 0
    ? failed('account', 'no_such_account', { connections: user.identities.map(({ connection }) => connection) })
    : ok('account', { connections: namesOf(own) })

/** Without an application, a connection counts that is open to any. */
function connectionCheck(own: readonly Connection[], ways: readonly Connection[], isLimited: boolean): Check {
  if (ways.length > 0) return ok('connection', { connections: namesOf(ways) })
  return isLimited && own.length > 0
    ? failed('connection', 'connection_not_enabled', { connections: namesOf(own) })
    : ok('connection')
}

async function attemptsCheck(ways: readonly Connection[], { user, deps }: SignInQuestion): Promise<Check> {
  const accounts = (await deps.userBlocks.ofUser(user.user.id)) ?? []
  const meant = accounts.filter(({ connection }) => ways.some(({ name }) => name === connection))
  const blocks = await deps.attempts.blocksOf(meant)
  if (blocks.length === 0) return ok('attempts')
  const ips = blocks.flatMap(({ ip }) => (ip === null ? [] : [ip]))
  const everywhere = blocks.some(({ ip }) => ip === null) || ways.length === 1
  const found = failed('attempts', 'account_locked', { ips })
  return everywhere ? found : { ...found, state: 'notice' }
}

const LATELY_MS = 24 * 3600 * 1000
const RECORDS = 20

/** Whether there is a password, and what the log says of the last day; the latter not for an actor who does not read it. */
async function passwordChecks(ways: readonly Connection[], actor: Actor, question: SignInQuestion): Promise<Check[]> {
  const absent = await absentPassword(ways, question)
  if (absent) return [absent]
  const { user, deps } = question
  if (!actor.scopes.has('read:logs') && !actor.scopes.has('read:logs_users')) return []
  const filter = { userId: user.user.id, reach: reachOf(actor) }
  const records = await deps.logs.page(filter, { offset: 0, limit: RECORDS, oldestFirst: false })
  const since = deps.clock.now().getTime() - LATELY_MS
  const late = records.filter(({ date }) => new Date(String(date)).getTime() > since)
  const last = late.find(({ type }) => type === 'fp' || type === 'pwd_leak' || type === 's')
  if (last === undefined || last.type === 's') return [ok('password')]
  const reason: Reason = last.type === 'pwd_leak' ? 'leaked_password' : 'wrong_password'
  const count = late.filter(({ type }) => type === last.type).length
  const found = failed('password', reason, { count, at: String((last as LogRecord).date) })
  return [reason === 'leaked_password' ? found : { ...found, state: 'notice' }]
}

/** Of accounts in databases alone whose passwords are here: a passkey may do without one. */
async function absentPassword(ways: readonly Connection[], { user, deps }: SignInQuestion): Promise<Check | null> {
  const databases = ways.filter(isDatabase).filter((each) => !authenticatesByScript(each))
  if (databases.length === 0 || databases.length < ways.length) return null
  const accounts = await deps.accounts.ofUser(user.user.id)
  const meant = accounts.filter(({ connectionId }) => databases.some(({ id }) => id === connectionId))
  if (meant.some(({ hasPassword }) => hasPassword)) return null
  const hint = 'The account has no password. Send the person a link to set one.'
  const found = failed('password', 'wrong_password', { hint, has_password: false })
  return databases.some(({ settings }) => settings.options.authentication_methods.passkey.enabled)
    ? { ...found, state: 'notice' }
    : found
}

function addressCheck(ways: readonly Connection[], { user }: ManagedUser): Check {
  const databases = ways.filter(isDatabase)
  const asking = databases.filter(({ settings }) => settings.options.require_verified_email)
  if (user.emailVerified || user.email === null || asking.length === 0) return ok('address')
  const found = failed('address', 'address_unverified', { connections: namesOf(asking) })
  return asking.length === ways.length ? found : { ...found, state: 'notice' }
}

/** A planned deletion does not keep the owner out, who can still keep the account. */
async function deletionCheck({ user }: ManagedUser, deps: SignInCheckDeps): Promise<Check> {
  const planned = await deps.accountDeletions.find(user.id)
  if (planned?.status !== 'scheduled') return ok('deletion')
  return { check: 'deletion', state: 'notice', at: planned.dueAt.toISOString() }
}

type Application = NonNullable<Awaited<ReturnType<ClientPort['find']>>>

async function factorCheck({ user }: ManagedUser, client: Application, deps: SignInCheckDeps): Promise<Check> {
  const wanted = user.factorWantedAt !== null
  const demand = mfaDemand(deps.settings, client, { acrValues: [], forFactors: false, wanted })
  if (demand === 'none') return ok('factor')
  const { enrolled, chosen, enrollable } = await listFactors(user, deps)
  if (!isRequired({ demand, browser: 'unknown', busyNetwork: false, enrolled, chosen })) return ok('factor')
  if (!enrolled && enrollable.length === 0) return failed('factor', 'factor_not_enabled')
  return { check: 'factor', state: 'notice', reason: enrolled ? 'mfa_required' : 'association_required' }
}

type Standing = { check: Check; connections: Connection[]; membership: Check | null }

async function standingIn(
  id: string,
  usable: readonly Connection[],
  { user, deps }: SignInQuestion,
): Promise<Standing> {
  if (!(await deps.organizations.find(id)))
    return { check: failed('organization', 'organization_unknown'), connections: [], membership: null }
  const rows = await Promise.all(usable.map((each) => deps.organizationConnections.find(id, each.id)))
  const enabled = usable.filter((_, place) => rows[place]?.enabled === true)
  const assigns = rows.some((row) => row?.enabled === true && row.assignMembership)
  const isMember = assigns || (await deps.organizationMembers.areMembers(id, [user.user.id]))
  return {
    check: ok('organization'),
    connections: enabled,
    membership: isMember ? ok('membership') : failed('membership', 'not_a_member'),
  }
}
