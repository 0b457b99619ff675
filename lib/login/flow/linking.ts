// The account linking suggestion, and how a login changes while it is carried out (docs/adr/0019; threat-model.md UP7).
// - It is made to a user who has just proven an account with a verified address, for another account of the tenant with the
//   same verified address. So an account's existence is shown only to the owner of its address.
// - The first account's proof is set aside, and the user signs in to the other account under the same requirements as in any
//   login, including its second factor. Only then are the accounts joined (link-accounts.ts).

import type { Client } from '../../data/clients/client'
import { type Connection, isEnabledFor } from '../../data/connections/connection'
import { enabledIn } from '../../data/organizations/organization'
import type { ChangeMail } from '../../data/outbox/outbox'
import type { Evidence } from '../../data/sessions/session'
import type { ProvenAccount } from '../../data/users/linked-accounts'
import type { User } from '../../data/users/user'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import type { Following } from '../post-login/primary-user'
import type { Decisions, LinkSearch, LoginTransaction, OtherAccount, Wants } from '../transaction'

export type AccountJoin = {
  accounts: readonly [ProvenAccount, ProvenAccount]
  /** The login in which both were proven; it continues as the account that stays. */
  login: { handleDigest: Uint8Array; revision: number; evidence: Evidence[]; decisions: Decisions }
  at: Date
  /** To the owners of the accounts. */
  mails: readonly ChangeMail[]
}

export type JoinRefusal =
  /** The login has moved on in the meantime: another tab, or a double submit. */
  | 'lost'
  /** One of the accounts is deleted, blocked, signed out everywhere, has another address, or its second factor was not proven. */
  | 'unproven'
  | 'too_many'
  /** No owner of the console would be left who can sign in. */
  | 'last_owner'

export type AccountJoinPort = {
  join(joining: AccountJoin): Promise<User | JoinRefusal>
  /**
   * The user whom the accounts of a user that linking removed belong to now, where their proofs count; the login, if there is one, goes
   * on as that user, once. Null otherwise.
   */
  follow(following: Following): Promise<User | null>
}

type Decided = { decisions: Decisions }

/** The other account while it is to be proven. */
export const toProve = ({ decisions: { linking } }: Decided): OtherAccount | null =>
  linking?.phase === 'proving' ? linking.other : null

/** Both accounts must prove their second factors, whatever the MFA policy requires of the login. */
export const isLinking = ({ decisions: { linking } }: Decided): boolean =>
  linking?.phase === 'accepted' || linking?.phase === 'proving'

/** While linking, only the other account may sign in, by any of its own connections. */
export function wantsOf({ wants, decisions }: Decided & { wants: Wants }): Wants {
  const other = toProve({ decisions })
  return other ? { ...wants, subject: other.id, connection: null, screenHint: null } : wants
}

/** Consent that the same user gave before the second account was involved. */
export const agreedBefore = ({ consent }: Decisions): Decisions => (consent === undefined ? {} : { consent })

/**
 * The linking phase survives the sign-in of the other account; the sign-in of a different user ends it. A chosen organization
 * survives every sign-in.
 */
export function decisionsAfterSignIn(
  { decisions, userId }: Pick<LoginTransaction, 'decisions' | 'userId'>,
  user: User | null,
): Decisions {
  const { linking } = decisions
  const isTheirs = linking?.phase === 'proving' || userId === (user?.id ?? null)
  return { ...organizationDecision(decisions), ...(linking && isTheirs ? { linking, ...agreedBefore(decisions) } : {}) }
}

/** A chosen organization outlasts what a sign-in resets. */
export const organizationDecision = ({ organization }: Decisions): Decisions =>
  organization === undefined ? {} : { organization }

/** Shows the question again, as the first account. */
export const askingAgain = (decisions: Decisions, other: OtherAccount): Decisions => ({
  ...organizationDecision(decisions),
  ...agreedBefore(decisions),
  account: 'selected',
  linking: { phase: 'offered', other },
})

/** The account that signed in is not the one that the request or the linking expects. Returns the notice for its user. */
export function refuseOther(state: Decided, { trail }: Pick<LoginDeps, 'trail'>): NoticeCode {
  trail.record('login_refused', { reason: 'other_person_expected', sentence: 'another person is expected' })
  return notExpected(state)
}

const notExpected = (state: Decided): NoticeCode => (toProve(state) === null ? 'session_changed' : 'link_other_account')

type Finishing = Pick<LoginState, 'organization' | 'user' | 'wants' | 'client' | 'decisions' | 'evidence'>

/** The search for another account at the end of this login; null, at no cost, if none may be suggested. */
export async function searchOf(
  { user, wants, client, decisions, evidence, organization }: Finishing,
  deps: Pick<LoginDeps, 'settings' | 'connections'>,
): Promise<LinkSearch | null> {
  const when = deps.settings.tenant.suggest_account_linking
  if (when === 'never_on_login' || decisions.linking !== undefined) return null
  if (user?.email == null || !user.emailVerified) return null
  if (wants.subject !== null || wants.prompt.includes('none')) return null
  const all = enabledIn(organization, await deps.connections.all())
  const usable = all.filter((connection) => canProve(connection, client))
  const provenNow = evidence.some(
    (proof) => !proof.inherited && proof.method !== 'mfa' && usable.some(({ name }) => name === proof.connection),
  )
  if (!provenNow || usable.length < 2) return null
  return { connectionIds: usable.map(({ id }) => id), firstLoginOnly: when === 'on_first_login' }
}

const canProve = (connection: Connection, client: Client): boolean =>
  connection.settings.suggest_account_linking && isEnabledFor(connection, client)
