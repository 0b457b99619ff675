// Connecting an account of a provider to a user, on PostgreSQL. The user is locked first, as by every operation that starts or ends the
// user's logins; the key of the identity decides between two users, and between connecting and a first login (upstream-accounts.ts).
import type { PoolClient } from 'pg'
import type {
  Connect,
  ConnectedAccountPort,
  ConnectingLogin,
  ConnectRefusal,
} from '../../../data/connections/upstream/connected-account'
import { MAX_IDENTITIES } from '../../../data/users/linked-accounts'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { hold, isActive, STANDS, sessionStands, TOUCH } from './linked-accounts'
import { writeChangeMail } from './outbox'
import { profilePatchOf } from './upstream-accounts'

/** Nothing for an identity of another user, and for one by which a user is named who does not have it. */
const CONNECT = {
  name: 'identity-connect',
  text: `INSERT INTO identity AS i (tenant_id, connection_id, provider_user_id, provider, user_id, is_social, profile,
  sealed_tokens, connected_at)
SELECT $1, c.id, $3, $4, $5, $6, $7, $8, $9 FROM connection c WHERE c.tenant_id = $1 AND c.id = $2 AND NOT EXISTS (
  SELECT 1 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $4 || '|' || $3 AND u.id <> $5
)
ON CONFLICT (tenant_id, connection_id, provider_user_id) DO UPDATE SET
  sealed_tokens = coalesce(excluded.sealed_tokens, i.sealed_tokens),
  connected_at = coalesce(i.connected_at, excluded.connected_at)
WHERE i.user_id = excluded.user_id RETURNING connected_at AS "connectedAt", xmax = 0 AS "isNew"`,
  row: columns<{ connectedAt: Date; isNew: boolean }>({ connectedAt: 'date', isNew: 'boolean' }),
}

const COUNT_OTHERS = {
  name: 'identities-count-others',
  text: `SELECT count(*)::integer AS count FROM identity WHERE tenant_id = $1
AND (connection_id, provider_user_id) <> ($2, $3) AND user_id = $4`,
  row: columns<{ count: number }>({ count: 'number' }),
}

export const connectedAccountStore = ({ pool }: Database, tenantId: string): ConnectedAccountPort => ({
  connect: (account) => inTransaction(pool, (client) => connect(client, tenantId, account)),
})

async function connect(client: PoolClient, tenantId: string, account: Connect): Promise<ConnectRefusal | Date> {
  const { userId, login, provenAt, at } = account
  const held = await hold(client, tenantId, [userId])
  if (!(await stands(client, tenantId, login, userId, at))) return 'ended'
  if (!isActive(held, userId, provenAt, at)) return 'ended'
  if (held.some(({ addressUnproven }) => addressUnproven)) return 'address_unproven'
  return attach(client, tenantId, account)
}

/** The locked user may have it. */
export async function attach(client: PoolClient, tenantId: string, account: Connect): Promise<ConnectRefusal | Date> {
  const { userId, connectionId, provider, providerUserId, isSocial, sealedTokens, at } = account
  const { certain, unsure } = profilePatchOf(account.person)
  const profile = { ...unsure, ...certain }
  const key = [tenantId, connectionId, providerUserId]
  const [others] = await run(client, COUNT_OTHERS, [...key, userId])
  if ((others?.count ?? 0) >= MAX_IDENTITIES) return 'too_many'
  const values = [...key, provider, userId, isSocial, JSON.stringify(profile), sealedTokens, at]
  const [connected] = await run(client, CONNECT, values)
  if (!connected) return 'taken'
  await run(client, TOUCH, [tenantId, userId, at])
  if (connected.isNew) await writeChangeMail(client, tenantId, account.mail)
  return connected.connectedAt
}

const stands = async (
  client: PoolClient,
  tenantId: string,
  login: ConnectingLogin,
  userId: string,
  at: Date,
): Promise<boolean> => {
  if ('sid' in login) return sessionStands(client, tenantId, login.sid, userId, at)
  return (await run(client, STANDS, [tenantId, login.familyId, userId, at])).length === 1
}
