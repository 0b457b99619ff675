// Runs the actions of a login whose requirements are met and evaluates the result (threat-model.md RU3, RU4). Never inside a
// database transaction; tenants without such actions skip it.
// - A demand that cannot be met is a refusal, never a pass: a factor while none is enabled, a redirect to a URL that is not
//   https, a deleted user.
// - A proven factor counts if it is of a type that the demand names. Suspended actions resume only after such a proof.
// - Metadata changes are written once, after the last action.

import type { Api } from '../../data/apis/api'
import type { Client } from '../../data/clients/client'
import type { Organization } from '../../data/organizations/organization'
import type { Evidence, Session, StoredSession } from '../../data/sessions/session'
import { sessionPolicy } from '../../data/tenants/settings'
import type { User } from '../../data/users/user'
import type { OpenReset } from '../../identity/accounts/reset-password'
import { AT_RESET, eventFor } from '../../identity/accounts/reset-triggers'
import { challengedTypes, changesOf, wantsFactor } from '../../identity/tenant-code/effects'
import type { EventRefreshToken, EventRequest, PostLoginEvent } from '../../identity/tenant-code/event'
import {
  eventClient,
  eventConnection,
  eventMethods,
  eventOrganization,
  eventSession,
  eventTransaction,
  eventUser,
  type RequestDescription,
} from '../../identity/tenant-code/events'
import { riskOf } from '../../identity/tenant-code/geoip'
import type { EventSubject } from '../../identity/tenant-code/subject'
import { type Effects, type ObservedAction, reasonOfDenial } from '../../identity/tenant-code/trigger'
import { accessDenied, type DomainError } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import { parseRedirectTarget } from '../../kernel/redirect-target'
import type { LoginDeps } from '../deps'
import { provesFactor } from '../flow/mfa-evidence'
import { actionStep, actionsStep } from '../inspected-steps'
import type { Wants } from '../transaction'
import { whyNoFactor } from './factor'
import type { Turning } from './primary-user'

export type PostLoginMoment = {
  user: User
  client: Client
  api: Api | null
  wants: Wants
  /** The organization that the login is for. */
  organization: Organization | null
  evidence: readonly Evidence[]
  described: RequestDescription
  request: EventRequest
  locale: string
  /** The user's session in this browser, before this login. */
  session?: StoredSession
  /** The one that is exchanged, at a refresh. */
  refreshToken?: EventRefreshToken
  /** The login is not counted in the user's statistics yet. */
  isNewLogin: boolean
  /** The actions are those of a reset, which is no login. */
  reset?: OpenReset
}

export type PostLoginVerdict =
  | { kind: 'passed'; effects: Effects; user: User }
  /** A second factor comes first; then suspended actions resume. */
  | { kind: 'factor'; effects: Effects; user: User }
  | { kind: 'redirect'; effects: Effects; user: User; url: URL }
  /** The login goes on as another user, if it may; then the actions run again. */
  | ({ kind: 'turned' } & Turning)
  | { kind: 'denied'; error: DomainError; revokes?: true }

/** `past` holds the effects of an earlier, suspended run for this login. */
export async function runPostLogin(
  moment: PostLoginMoment,
  past: Effects | undefined,
  deps: LoginDeps,
): Promise<PostLoginVerdict> {
  const subject = await deps.eventSubjects.find(moment.user.id, moment.organization?.id)
  if (!subject) return denied('user_gone', 'The user no longer exists')
  const run = await runOf(moment, subject, deps)
  const isWaiting = (effects: Effects): boolean =>
    effects.suspended?.awaits === 'factor' && !effects.denied && lacksFactor(effects, moment)
  let effects = past && isWaiting(past) ? past : await run(past)
  while (effects.suspended?.awaits === 'factor' && !effects.denied && !isWaiting(effects)) {
    effects = await run(effects)
  }
  deps.trail.step(actionsStep(moment.reset ? AT_RESET : 'post-login', effects))
  if (effects.denied) {
    const { reason, revokes, endsSession } = effects.denied
    if (endsSession && moment.session) await endOwnSession(moment.session, endsSession, moment.user, deps)
    return { ...denied(reasonOfDenial(effects.denied), reason), ...(revokes ? { revokes } : {}) }
  }
  const { primaryUser } = effects
  if (effects.suspended?.awaits === 'user' && primaryUser !== undefined)
    return { kind: 'turned', userId: primaryUser, effects, user: moment.user, accounts: subject.identities }
  return verdictOf(effects, moment, deps)
}

/** What effects mean that neither deny nor name another user. */
export async function verdictOf(
  effects: Effects,
  moment: Pick<PostLoginMoment, 'user' | 'evidence'>,
  deps: LoginDeps,
): Promise<PostLoginVerdict> {
  if (effects.redirect) return leaving(effects.redirect.url, effects, moment.user, deps)
  const lacking = await judgeFactor(effects, moment, deps)
  if (lacking && (lacking.kind === 'denied' || effects.suspended)) return lacking
  const user = await persist(effects, moment.user, deps)
  if (!user) return denied('user_gone', 'The user no longer exists')
  return { kind: lacking ? 'factor' : 'passed', effects, user }
}

/** The applications of the session are notified. */
async function endOwnSession(
  { sid }: Session,
  { keepsTokens }: { keepsTokens: boolean },
  user: User,
  deps: LoginDeps,
): Promise<void> {
  if (!(await deps.sessions.revoke(sid, deps.clock.now(), !keepsTokens))) return
  deps.trail.record('session_revoked', { user })
  deps.mailer.wake()
}

/** Null if the effects require no factor that the login lacks. */
export async function judgeFactor(
  effects: Effects,
  moment: Pick<PostLoginMoment, 'user' | 'evidence'>,
  deps: LoginDeps,
): Promise<Extract<PostLoginVerdict, { kind: 'factor' | 'denied' }> | null> {
  if (!lacksFactor(effects, moment)) return null
  const why = await whyNoFactor(effects, moment, deps)
  return why === null
    ? { kind: 'factor', effects, user: moment.user }
    : denied('factor_impossible', 'Multifactor authentication required', why)
}

const lacksFactor = (effects: Effects, { evidence }: Pick<PostLoginMoment, 'evidence'>): boolean =>
  wantsFactor(effects) && !provesFactor(evidence, challengedTypes(effects))

const denied = (reason: Reason, sentence: string, detail?: string): Extract<PostLoginVerdict, { kind: 'denied' }> => ({
  kind: 'denied',
  error: accessDenied(sentence, detail === undefined ? { reason } : { reason, detail }),
})

/** Redirects go to https only; http is allowed on this machine if the server itself runs on http. */
function leaving(target: string, effects: Effects, user: User, { secure }: LoginDeps): PostLoginVerdict {
  const url = parseRedirectTarget(target)
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal && !secure)
  if (url && isAllowed && !target.includes('#')) return { kind: 'redirect', effects, user, url }
  const sentence = 'An action of this tenant could not be run'
  return denied('action_redirect_invalid', sentence, 'an action redirects to an address without https')
}

async function persist(effects: Effects, user: User, deps: LoginDeps): Promise<User | null> {
  const changes = changesOf(effects)
  return changes ? deps.eventSubjects.change(user.id, changes, deps.clock.now()) : user
}

async function runOf(
  moment: PostLoginMoment,
  subject: EventSubject,
  deps: LoginDeps,
): Promise<(past?: Effects) => Promise<Effects>> {
  const { reset, request, evidence } = moment
  const observe = (ran: ObservedAction): void => deps.trail.step(() => actionStep(ran))
  if (!reset) {
    const event = await eventOf(moment, subject, deps)
    return (past) => deps.triggers.run('post-login', event, past, observe)
  }
  const factors = eventMethods(evidence.filter(({ method }) => method === 'mfa'))
  const event = await eventFor(reset, subject, factors, { ip: request.ip, request: () => request }, deps)
  return (past) => deps.triggers.run(AT_RESET, event, past, observe)
}

async function eventOf(moment: PostLoginMoment, subject: EventSubject, deps: LoginDeps): Promise<PostLoginEvent> {
  const { client, api, wants, organization, evidence, described, request, locale, session, refreshToken, isNewLogin } =
    moment
  const connections = await deps.connections.all()
  const named = evidence[0]?.connection || subject.identities[0]?.connection
  const connection = connections.find(({ name }) => name === named)
  return {
    tenant: { id: deps.tenantId },
    authentication: {
      methods: eventMethods(evidence),
      ...(deps.placeOf
        ? { riskAssessment: riskOf(lastLoginOf(subject), { ip: request.ip, at: deps.clock.now() }, deps.placeOf) }
        : {}),
    },
    authorization: { roles: subject.roles },
    client: eventClient(client),
    connection: connection ? eventConnection(connection) : GONE,
    request,
    ...(api === null ? {} : { resource_server: { identifier: api.identifier } }),
    stats: { logins_count: subject.loginsCount + (isNewLogin ? 1 : 0) },
    transaction: eventTransaction(wants, described, locale),
    user: eventUser(subject),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(session === undefined ? {} : { session: eventSession(session, sessionPolicy(deps.settings).persistent) }),
    ...(organization === null ? {} : { organization: eventOrganization(organization) }),
  }
}

const lastLoginOf = ({ lastIp, lastLoginAt }: EventSubject) =>
  lastIp === null || lastLoginAt === null ? null : { ip: lastIp, at: lastLoginAt }

/** The login's connection may have been deleted. */
const GONE = { id: '', name: '', strategy: '', metadata: {} }
