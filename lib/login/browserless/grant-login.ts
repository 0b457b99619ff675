// A login that a grant started and that lacks a second factor (docs/adr/0001). It is stored as a transaction whose handle is
// the `mfa_token`, and continued by the MFA endpoints and grants (threat-model.md MF1, MF2).
// - It lives ten minutes, belongs to one user and one client, and finishes once. No page opens it, and the handle of a page's
//   transaction is no `mfa_token`.
// - The tokens have the scopes and the API of the first request.
import type { Client } from '../../data/clients/client'
import type { User } from '../../data/users/user'
import type { TypeDemand } from '../../identity/mfa/accepted'
import type { MfaSubject } from '../../identity/mfa/deps'
import type { Enrolments } from '../../identity/mfa/enrolled'
import { factorNamed, factorOf, isForPages } from '../../identity/mfa/factors/index'
import { addSeconds } from '../../kernel/clock'
import { accessDenied, DomainError, invalidGrant } from '../../kernel/errors'
import { digest, mint } from '../../kernel/secret'
import { EXCHANGED } from '../../tokens/exchanged'
import type { LoginDeps } from '../deps'
import type { LoginFacts } from '../flow/state'
import { typeDemandOf } from '../post-login/draft'
import { GRANT_SECONDS, type GrantTransaction } from '../transaction'
import type { BrowserlessLogin } from './browserless'

type Beginning = Pick<BrowserlessLogin, 'user' | 'gty' | 'protocol' | 'ip' | 'actor'> & { replaces?: string }

/** The `mfa_required` error with the `mfa_token`. `enrolments` are those that count in this login. */
export async function mfaRequired(
  { user, gty, protocol, ip, replaces, actor }: Beginning,
  { wants, evidence, decisions }: Pick<LoginFacts, 'wants' | 'evidence' | 'decisions'>,
  enrolments: Enrolments,
  deps: LoginDeps,
): Promise<DomainError> {
  if (gty === EXCHANGED && (actor || !enrolments.enrolled)) return withoutFactor(actor !== undefined)
  const handle = mint(deps.random)
  const now = deps.clock.now()
  await deps.transactions.insert({
    handleDigest: handle.digest,
    origin: { protocol: 'grant', request: { gty, protocol, ip, replaces: replaces ?? null } },
    wants: { ...wants, login: deps.trail.login() },
    // No browser is bound, so the digest is of a random value that no cookie has.
    browserDigest: digest(deps.random.token()),
    userId: user.id,
    evidence,
    decisions,
    revision: 0,
    createdAt: now,
    expiresAt: addSeconds(now, GRANT_SECONDS),
    consumedAt: null,
  })
  const members = { mfa_token: handle.plain, mfa_requirements: requirementsOf(enrolments) }
  return new DomainError('mfa_required', 'Multifactor authentication required', { members })
}

/**
 * No subject token lets a factor be added for its person, and an actor proves none (threat-model.md TX3).
 */
const withoutFactor = (isActed: boolean): DomainError =>
  accessDenied('Multifactor authentication required', {
    reason: 'factor_impossible',
    detail: isActed
      ? 'an actor proves no factor of the person'
      : 'a token exchange adds no factor, and the person has none',
  })

/** The factors that may be challenged, or those that may be enrolled. */
function requirementsOf({ enrolled, usable, enrollable }: Enrolments) {
  const kinds = enrolled
    ? usable.map((each) => factorOf(each).names.type)
    : enrollable
        .map(factorNamed)
        .filter((factor) => !isForPages(factor))
        .map(({ names }) => names.type)
  const types = [...new Set(kinds)].map((type) => ({ type }))
  return enrolled ? { challenge: types } : { enroll: types }
}

export type GrantLogin = { transaction: GrantTransaction; user: User }

/** `client` is null for callers that need not identify a client. */
export async function openGrantLogin(token: string, client: Client | null, deps: LoginDeps): Promise<GrantLogin> {
  const found = await deps.transactions.findGrant(digest(token))
  const foreign = client !== null && client.clientId !== found?.transaction.wants.clientId
  if (!found?.user || foreign)
    throw invalidGrant('Malformed mfa_token', { reason: 'mfa_token_invalid', detail: 'unknown, or of another client' })
  const { transaction, user } = found
  deps.trail.follow(transaction.wants.login)
  if (transaction.consumedAt !== null || transaction.expiresAt <= deps.clock.now()) throw expiredToken()
  deps.trail.context({ user })
  if (user.blocked) throw invalidGrant('user is blocked', { reason: 'user_blocked' })
  return { transaction, user }
}

export const expiredToken = (): DomainError => new DomainError('expired_token', 'mfa_token is expired')

export const subjectOfGrant = (
  { transaction, user }: GrantLogin,
  client: Pick<Client, 'clientId' | 'name'>,
  { ip, locale }: Pick<MfaSubject, 'ip' | 'locale'>,
): MfaSubject => ({
  user,
  login: transaction.handleDigest,
  typed: typeDemandOfGrant({ transaction, user }),
  clientId: client.clientId,
  connection: transaction.evidence[0]?.connection,
  clientName: client.name,
  ip,
  locale,
})

export const typeDemandOfGrant = ({ transaction: { decisions, evidence }, user }: GrantLogin): TypeDemand | null =>
  typeDemandOf({ decisions, evidence, user })
