// Who may act on whom, and what an actor may give: one decision for every door (threat-model.md MG52, ADR 47).
// - A call says what it is about (`Target`), by whatever names the request has. The store resolves these to rows and reads what
//   they hold: the scopes of the Management API, over all the ways in which tokens get them.
// - The actor must hold all of that. So an actor acts on nothing that is above it, and gives nothing that it does not hold.
// - The account of an administrator is above all actors without the scope over administrators, whatever its role.
import { MANAGEMENT_SCOPES } from '../../data/apis/management-scopes'
import { DomainError } from '../../kernel/errors'
import { type ConsoleRole, isConsoleRole, scopesOfRole } from './console-roles'
import type { Actor } from './operation'

/** What a call is about, by the names that the request has. Unknown names hold nothing. */
export type ActedOn = {
  users?: readonly string[]
  /** Canonical addresses, usernames or numbers that log in at a connection; without a connection, at any. */
  accounts?: readonly { connectionId: string | null; name: string }[]
  /** All people with an account at these connections. */
  connections?: readonly string[]
  /** Parts of users by their own ids: public session ids, token families, authenticators, keys of devices. */
  sessions?: readonly string[]
  tokens?: readonly string[]
  factors?: readonly string[]
  devices?: readonly string[]
  /** Applications, and client grants by their own ids. */
  clients?: readonly string[]
  grants?: readonly string[]
  /** Organizations that go, with the roles that members and invitations have there and with their client grants. */
  organizations?: readonly string[]
  /** Roles that are changed, given or taken, and invitations that give some. */
  roles?: readonly string[]
  invitations?: readonly string[]
  /** Scopes of APIs that are given. Those of other APIs than the Management API are no power over the tenant. */
  given?: readonly { audience: string; scopes: readonly string[] }[]
  /** It weakens or strengthens how administrators sign in to the console. */
  protectsAdministrators?: true
  /** The role that makes an administrator. */
  administrator?: ConsoleRole
}

/** What the rows of a target hold: scopes of the Management API, and roles of administrators. */
export type Holdings = { scopes: readonly string[]; administrators: readonly string[] }

export type RankPort = {
  /** The audience of the Management API. */
  audience: string
  /**
   * Runs `work` so that each of its database transactions first locks the people of the target, reads what the target holds at that
   * moment and asks `judge`, which throws to refuse.
   */
  guard<T>(target: ActedOn, judge: (holdings: Holdings) => void, work: () => Promise<T>): Promise<T>
  /** Those of the named rows that hold scopes of the Management API or a role of an administrator, with what they hold. */
  holdingsOf(kind: RankedKind, ids: readonly string[]): Promise<ReadonlyMap<string, Holdings>>
}

export type RankDeps = { rank: RankPort }

/** Without this scope an actor has no rank over an administrator. */
export const OVER_ADMINISTRATORS = 'update:administrators'

const EVERYTHING = [...MANAGEMENT_SCOPES.keys()]

export const holdsEverything = ({ scopes }: Pick<Actor, 'scopes'>): boolean =>
  EVERYTHING.every((scope) => scopes.has(scope))

/** The scopes that an actor needs to act on what has these holdings, and to give these scopes. */
export function reachOf({ scopes, administrators }: Holdings, given: readonly string[] = []): Set<string> {
  const roles = administrators.filter(isConsoleRole)
  return new Set([
    ...[...scopes, ...given].filter((scope) => MANAGEMENT_SCOPES.has(scope)),
    ...roles.flatMap(scopesOfRole),
    ...(administrators.length > 0 ? [OVER_ADMINISTRATORS] : []),
  ])
}

export const isBelow = (reach: ReadonlySet<string>, { scopes }: Pick<Actor, 'scopes'>): boolean =>
  [...reach].every((scope) => scopes.has(scope))

const INSUFFICIENT = 'insufficient_rank'

/** Names no scope that is missing: that would say who holds what. */
export const lacksRank = (): DomainError =>
  new DomainError('access_denied', 'Only an actor that holds the same rights over the tenant, or more, may do this.', {
    reason: 'rank_too_low',
    members: { errorCode: INSUFFICIENT },
  })

export const isRankRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.members.errorCode === INSUFFICIENT

const givenBy = ({ given = [], administrator, protectsAdministrators }: ActedOn, audience: string): string[] => [
  ...(protectsAdministrators ? [OVER_ADMINISTRATORS] : []),
  ...given.filter((each) => each.audience === audience).flatMap(({ scopes }) => scopes),
  ...(administrator ? scopesOfRole(administrator) : []),
]

const judgeOf =
  (actor: Pick<Actor, 'scopes'>, target: ActedOn, { audience }: RankPort) =>
  (holdings: Holdings): void => {
    if (!isBelow(reachOf(holdings, givenBy(target, audience)), actor)) throw lacksRank()
  }

/** Runs what acts on the target; throws unless the actor has the rank, at this moment and when its transactions hold the rows. */
export const withRank = <T>(
  actor: Pick<Actor, 'scopes'>,
  target: ActedOn,
  { rank }: RankDeps,
  work: () => Promise<T>,
): Promise<T> => (holdsEverything(actor) ? work() : rank.guard(target, judgeOf(actor, target, rank), work))

/** Rows that can hold rights. */
export type RankedKind = 'users' | 'clients' | 'roles'

/** Those of the rows that are above the actor. */
export async function aboveOf(
  actor: Pick<Actor, 'scopes'>,
  kind: RankedKind,
  ids: readonly string[],
  { rank }: RankDeps,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || holdsEverything(actor)) return new Set()
  const holdings = await rank.holdingsOf(kind, ids)
  return new Set(ids.filter((id) => !isBelow(reachOf(holdings.get(id) ?? NOTHING), actor)))
}

const NOTHING: Holdings = { scopes: [], administrators: [] }

type Path = { params: Readonly<Record<string, string>> }

/** The target of a call whose path names one row. */
export const inPath =
  (
    kind:
      | 'users'
      | 'clients'
      | 'roles'
      | 'grants'
      | 'connections'
      | 'organizations'
      | 'sessions'
      | 'tokens'
      | 'factors'
      | 'devices',
    name = 'id',
  ) =>
  ({ params }: Path): ActedOn => ({ [kind]: [params[name] ?? ''] })
