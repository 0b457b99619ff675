// Joins two accounts that were both proven in one login, on PostgreSQL. One transaction locks both users, checks their current
// state, and continues only if the login is still at the expected revision (threat-model.md UP7). Of two tabs, or of a proof
// sent twice, the revision admits one; before that the accounts are not changed.
// - The older account remains, with its subject.
import type { PoolClient } from 'pg'
import type { AccountJoinPort, Joining, JoinRefusal } from '../../login/steps/linking'
import { isLastOwner } from '../../management/console-administrators'
import type { User } from '../../users/user'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { absorb, hold, isProven, wouldBeTooMany, writeMails } from './linked-accounts'
import { presentUser } from './rows'
import { FIND_USER } from './users'

const GO_ON = {
  name: 'transaction-join',
  text: `UPDATE login_transaction SET user_id = $4, evidence = $5, decisions = $6, revision = revision + 1
WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND consumed_at IS NULL AND expires_at > $7 RETURNING 1`,
}

export const accountJoinStore = ({ pool }: Database, tenantId: string): AccountJoinPort => ({
  join: (joining) =>
    inTransaction(pool, (client) => join(client, tenantId, joining)).catch((error: unknown) => {
      if (isLastOwner(error)) return 'last_owner'
      throw error
    }),
})

async function join(client: PoolClient, tenantId: string, joining: Joining): Promise<User | JoinRefusal> {
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
