// Joins two accounts that were both proven in one login, on PostgreSQL. One transaction locks both users, checks their current
// state, and continues only if the login is still at the expected revision (threat-model.md UP7). Of two tabs, or of a proof
// sent twice, the revision admits one; before that the accounts are not changed.
// - The older account remains, with its subject.
import type { PoolClient } from 'pg'
import type { User } from '../../../data/users/user'
import type { AccountJoin, AccountJoinPort, JoinRefusal } from '../../../login/flow/linking'
import type { Following } from '../../../login/post-login/primary-user'
import { isLastOwner } from '../../../management/operations/console-administrators'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { absorb, hold, isActive, isProven, wouldBeTooMany, writeMails } from './linked-accounts'
import { presentUser } from './rows'
import { FIND_USER } from './users'

const GO_ON = {
  name: 'transaction-join',
  text: `UPDATE login_transaction SET user_id = $4, evidence = $5, decisions = $6, revision = revision + 1
WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND consumed_at IS NULL AND expires_at > $7 RETURNING 1`,
}

/** In a login that linking has ended, its user is the one who has the accounts now (linked-accounts.ts). */
const FOLLOW = {
  name: 'transaction-follow',
  text: `UPDATE login_transaction SET user_id = $5, evidence = $6, decisions = $7, revision = revision + 1, consumed_at = NULL
WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND expires_at > $8
  AND CASE WHEN consumed_at IS NULL THEN user_id IS NULL OR user_id = $4 ELSE user_id = $5 END RETURNING 1`,
}

const OWNED = {
  name: 'identities-owned',
  text: `SELECT count(*)::integer AS count FROM identity
WHERE tenant_id = $1 AND user_id = $2 AND provider || '|' || provider_user_id = ANY($3)`,
  row: columns<{ count: number }>({ count: 'number' }),
}

export const accountJoinStore = ({ pool }: Database, tenantId: string): AccountJoinPort => ({
  join: (joining) =>
    inTransaction(pool, (client) => join(client, tenantId, joining)).catch((error: unknown) => {
      if (isLastOwner(error)) return 'last_owner'
      throw error
    }),
  follow: (following) => inTransaction(pool, (client) => follow(client, tenantId, following)),
})

export async function ownsAll(
  client: PoolClient,
  tenantId: string,
  userId: string,
  accounts: readonly string[],
): Promise<boolean> {
  const [owned] = await run(client, OWNED, [tenantId, userId, accounts])
  return owned?.count === accounts.length
}

/** False if the login went on or ended meanwhile by something else than linking. */
export async function goOnAs(
  client: PoolClient,
  tenantId: string,
  { handleDigest, revision, evidence, decisions }: NonNullable<Following['login']>,
  { from, to, at }: Pick<Following, 'from' | 'to' | 'at'>,
): Promise<boolean> {
  const next = [from, to, JSON.stringify(evidence), JSON.stringify(decisions), at]
  return (await run(client, FOLLOW, [tenantId, handleDigest, revision, ...next])).length === 1
}

/** Both are locked, as by linking and unlinking: the accounts stay the new user's until this is done. */
async function follow(
  client: PoolClient,
  tenantId: string,
  { from, to, accounts, provenAt, at, login }: Following,
): Promise<User | null> {
  const held = await hold(client, tenantId, [from, to])
  if (held.some(({ id }) => id === from) || !isActive(held, to, provenAt, at)) return null
  if (!(await ownsAll(client, tenantId, to, accounts))) return null
  if (login && !(await goOnAs(client, tenantId, login, { from, to, at }))) return null
  const [row] = await run(client, FIND_USER, [tenantId, to])
  return row ? presentUser(row) : null
}

async function join(client: PoolClient, tenantId: string, joining: AccountJoin): Promise<User | JoinRefusal> {
  const { accounts, login, at } = joining
  const ids = accounts.map(({ userId }) => userId)
  const held = await hold(client, tenantId, ids)
  const [first, second] = held.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  if (!first || !second || !sameAddress(first, second)) return 'unproven'
  for (const account of accounts) if (!(await isProven(client, tenantId, held, account, at))) return 'unproven'
  if (await wouldBeTooMany(client, tenantId, ids)) return 'too_many'
  const next = [first.id, JSON.stringify(login.evidence), JSON.stringify(login.decisions), at]
  const won = await run(client, GO_ON, [tenantId, login.handleDigest, login.revision, ...next])
  if (won.length === 0) return 'lost'
  await absorb(client, tenantId, { userId: first.id, otherId: second.id, at })
  await writeMails(client, tenantId, joining.mails)
  const [row] = await run(client, FIND_USER, [tenantId, first.id])
  return row ? presentUser(row) : 'lost'
}

type Addressed = Pick<User, 'email' | 'emailVerified'>

const sameAddress = (a: Addressed, b: Addressed): boolean =>
  a.email !== null && a.email === b.email && a.emailVerified && b.emailVerified
