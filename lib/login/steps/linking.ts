// The suggestion to make one account of two, and how a login differs while it is followed (docs/adr/0019; threat-model.md UP7).
// - It is made to whoever has just proven an account whose address is verified, of another account of the tenant with that
//   very address, verified too; so nobody learns of an account who has not proven its address.
// - The first account's proof is set aside, and the other is signed in to through the same requirements as in any login,
//   with its second factor where it has one. Only then is anything joined (link-accounts.ts).
import type { Client } from '../../clients/client'
import { type Connection, DATABASE, isEnabledFor } from '../../connections/connection'
import type { NoticeCode } from '../../pages/view'
import type { Evidence } from '../../sessions/session'
import { strategyOf } from '../../strategies'
import { isPasswordless } from '../../strategies/passwordless'
import type { ProvenAccount } from '../../users/linked-accounts'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'
import type { Decisions, LinkSearch, LoginTransaction, OtherAccount, Wants } from '../transaction'
import type { LoginState } from './requirements'

export type Joining = {
  accounts: readonly [ProvenAccount, ProvenAccount]
  /** The login that both were proven in; it goes on as the account that stays. */
  login: { handleDigest: Uint8Array; revision: number; evidence: Evidence[]; decisions: Decisions }
  at: Date
}

export type JoinRefusal =
  /** The login stands elsewhere by now: another tab, or the same submit again. */
  | 'lost'
  /** One of the two is gone, blocked, signed out everywhere, of another address, or its second factor was not proven. */
  | 'unproven'
  | 'too_many'

export type AccountJoinPort = { join(joining: Joining): Promise<User | JoinRefusal> }

type Decided = { decisions: Decisions }

/** The other account, while it is to be proven. */
export const toProve = ({ decisions: { linking } }: Decided): OtherAccount | null =>
  linking?.phase === 'proving' ? linking.other : null

/** Both accounts have to prove their second factors, whatever the policy asks of a login. */
export const isLinking = ({ decisions: { linking } }: Decided): boolean =>
  linking?.phase === 'accepted' || linking?.phase === 'proving'

/** Nobody but the other account will do, by whatever way of its own. */
export function wantsOf({ wants, decisions }: Decided & { wants: Wants }): Wants {
  const other = toProve({ decisions })
  return other ? { ...wants, subject: other.id, connection: null, screenHint: null } : wants
}

/** What the same person has agreed to before a second account of theirs came into it. */
export const agreedBefore = ({ consent }: Decisions): Decisions => (consent === undefined ? {} : { consent })

/** How far the suggestion has come outlasts the sign-in of the other account; somebody else's sign-in ends it. */
export function outlasting(
  { decisions, userId }: Pick<LoginTransaction, 'decisions' | 'userId'>,
  user: User | null,
): Decisions {
  const { linking } = decisions
  const isTheirs = linking?.phase === 'proving' || userId === (user?.id ?? null)
  return linking && isTheirs ? { linking, ...agreedBefore(decisions) } : {}
}

/** The question once more, as whoever was signed in before it. */
export const askingAgain = (decisions: Decisions, other: OtherAccount): Decisions => ({
  ...agreedBefore(decisions),
  account: 'selected',
  linking: { phase: 'offered', other },
})

/** What is said to whoever has proven an account that is not the expected one. */
export const notExpected = (state: Decided): NoticeCode =>
  toProve(state) === null ? 'session_changed' : 'link_other_account'

type Finishing = Pick<LoginState, 'user' | 'wants' | 'client' | 'decisions' | 'evidence'>

/** What to look for at the end of this login; null where nothing may be suggested, which costs nothing. */
export async function searchOf(
  { user, wants, client, decisions, evidence }: Finishing,
  deps: Pick<LoginDeps, 'settings' | 'connections'>,
): Promise<LinkSearch | null> {
  const when = deps.settings.tenant.suggest_account_linking
  if (when === 'never_on_login' || decisions.linking !== undefined) return null
  if (user?.email == null || !user.emailVerified) return null
  if (wants.subject !== null || wants.prompt.includes('none')) return null
  const usable = (await deps.connections.all()).filter((connection) => canProve(connection, client))
  const provenNow = evidence.some(
    (proof) => !proof.inherited && proof.method !== 'mfa' && usable.some(({ name }) => name === proof.connection),
  )
  if (!provenNow || usable.length < 2) return null
  return { connectionIds: usable.map(({ id }) => id), firstLoginOnly: when === 'on_first_login' }
}

const canProve = (connection: Connection, client: Client): boolean =>
  connection.settings.suggest_account_linking &&
  isEnabledFor(connection, client) &&
  (connection.strategy === DATABASE || isPasswordless(connection) || strategyOf(connection) !== null)
