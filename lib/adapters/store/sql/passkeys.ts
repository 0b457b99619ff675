// Passkeys on PostgreSQL. Adding one locks the user, so that concurrent additions count each other, and the first verification of
// an address comes before or after them.
import type { Pool, PoolClient } from 'pg'
import type { AccountKey } from '../../../data/users/account'
import type { ProofStanding } from '../../../data/users/first-proof'
import {
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyCredential,
  type PasskeyPort,
  type UnownedPasskey,
  type Use,
  type Used,
} from '../../../data/users/passkey'
import type { User } from '../../../data/users/user'
import { columns, type KindsOf } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { writeChangeMail } from './outbox'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

export type CredentialRow = Omit<UnownedPasskey, 'counter'> & { counter: string }
type Row = CredentialRow & AccountKey

/** Of `webauthn_credential c`; those of second factors have the same. */
export const CREDENTIAL_COLUMNS = `c.id, c.credential_id AS "credentialId", c.public_key AS "publicKey", c.counter, c.transports,
  c.aaguid, c.multi_device AS "multiDevice", c.backed_up AS "backedUp", c.rp_id AS "rpId", c.user_handle AS "userHandle", c.name,
  c.user_agent AS "userAgent", c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt"`

const COLUMNS = `${CREDENTIAL_COLUMNS}, i.connection_id AS "connectionId", i.provider_user_id AS "providerUserId"`

export const CREDENTIAL = {
  id: 'text',
  credentialId: 'text',
  publicKey: 'bytes',
  counter: 'int8',
  transports: 'text[]',
  aaguid: 'text',
  multiDevice: 'boolean',
  backedUp: 'boolean',
  rpId: 'text',
  userHandle: 'bytes',
  name: 'text?',
  userAgent: 'text?',
  createdAt: 'date',
  lastUsedAt: 'date?',
} satisfies KindsOf<CredentialRow>

const PASSKEY = { ...CREDENTIAL, connectionId: 'text', providerUserId: 'text' } satisfies KindsOf<Row>

/** Credentials of accounts; those of second factors have none. */
const OF_ACCOUNT = `webauthn_credential c JOIN identity i ON i.tenant_id = c.tenant_id AND i.connection_id = c.connection_id
  AND i.provider_user_id = c.provider_user_id`

const LIST = {
  name: 'passkey-list',
  text: `SELECT ${COLUMNS} FROM ${OF_ACCOUNT} WHERE i.tenant_id = $1 AND i.user_id = $2 ORDER BY c.created_at, c.id`,
  row: columns<Row>(PASSKEY),
}

const ACCOUNTS = {
  name: 'passkey-accounts',
  text: `SELECT connection_id AS "connectionId", provider_user_id AS "providerUserId" FROM identity
WHERE tenant_id = $1 AND user_id = $2 AND provider = 'auth0' ORDER BY connection_id, provider_user_id`,
  row: columns<AccountKey>({ connectionId: 'text', providerUserId: 'text' }),
}

const FIND = {
  name: 'passkey-find',
  text: `SELECT ${COLUMNS}, ${USER_COLUMNS} FROM ${OF_ACCOUNT} JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE c.tenant_id = $1 AND c.credential_id = $2`,
  row: columns<Row & UserColumns>({ ...PASSKEY, ...USER }),
}

const IS_FACTOR = {
  name: 'passkey-is-factor',
  text: 'SELECT 1 FROM webauthn_credential WHERE tenant_id = $1 AND credential_id = $2 AND authenticator_id IS NOT NULL',
}

const HOLD_USER = {
  name: 'passkey-hold-user',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
}

const INSERT = {
  name: 'passkey-insert',
  text: `INSERT INTO webauthn_credential (tenant_id, id, connection_id, provider_user_id, credential_id, public_key, counter, transports,
  aaguid, multi_device, backed_up, rp_id, user_handle, name, user_agent, created_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
FROM identity i JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE i.tenant_id = $1 AND i.connection_id = $3 AND i.provider_user_id = $4 AND i.user_id = $17
  AND u.email_verified = $18 AND u.phone_verified = $19 AND u.recovery_epoch = $21
  AND (SELECT count(*) FROM webauthn_credential c JOIN identity o ON o.tenant_id = c.tenant_id
    AND o.connection_id = c.connection_id AND o.provider_user_id = c.provider_user_id
    WHERE o.tenant_id = $1 AND o.user_id = $17) < $20
ON CONFLICT (tenant_id, credential_id) DO NOTHING RETURNING 1`,
}

/**
 * An authenticator without a counter always answers 0. The lower counter of a key that may be backed up is stored, because it is that of
 * the device that the person uses now.
 */
const USE = {
  name: 'passkey-use',
  text: `WITH stored AS (
  SELECT counter < $3 OR (counter = 0 AND $3 = 0) AS counted FROM webauthn_credential WHERE tenant_id = $1 AND id = $2 FOR UPDATE
)
UPDATE webauthn_credential c SET counter = $3, backed_up = $4, last_used_at = $5 FROM stored
WHERE c.tenant_id = $1 AND c.id = $2 AND (counted OR c.multi_device) RETURNING counted`,
  row: columns<{ counted: boolean }>({ counted: 'boolean' }),
}

export async function useCredential(pool: Pool, tenantId: string, id: string, use: Use): Promise<Used> {
  const [row] = await run(pool, USE, [tenantId, id, use.counter, use.backedUp, use.at])
  if (!row) return 'copied'
  return row.counted ? 'counted' : 'uncounted'
}

const RENAME = {
  name: 'passkey-rename',
  text: `UPDATE webauthn_credential c SET name = $4 FROM identity i
WHERE c.tenant_id = $1 AND c.id = $3 AND i.tenant_id = c.tenant_id AND i.connection_id = c.connection_id
  AND i.provider_user_id = c.provider_user_id AND i.user_id = $2 RETURNING 1`,
}

const REMOVE = {
  name: 'passkey-remove',
  text: `DELETE FROM webauthn_credential c USING identity i
WHERE c.tenant_id = $1 AND c.id = ANY($3) AND i.tenant_id = c.tenant_id AND i.connection_id = c.connection_id
  AND i.provider_user_id = c.provider_user_id AND i.user_id = $2 RETURNING ${COLUMNS}`,
  row: columns<Row>(PASSKEY),
}

export const credentialFrom = <Stored extends CredentialRow>({ counter, ...row }: Stored) => ({
  ...row,
  counter: Number(counter),
})

export const passkeyStore = ({ pool }: Database, tenantId: string): PasskeyPort => ({
  async list(userId) {
    return (await run(pool, LIST, [tenantId, userId])).map(credentialFrom)
  },
  accountsOf: (userId) => run(pool, ACCOUNTS, [tenantId, userId]),
  insert: (passkey, owner, mail) =>
    inTransaction(pool, async (client) => {
      await run(client, HOLD_USER, [tenantId, owner.id])
      if (!(await insertPasskey(client, tenantId, passkey, owner))) return false
      await writeChangeMail(client, tenantId, mail)
      return true
    }),
  async find(credentialId) {
    const [row] = await run(pool, FIND, [tenantId, credentialId])
    return row ? { passkey: credentialFrom(row), user: presentUser(row) } : null
  },
  async isFactor(credentialId) {
    return (await run(pool, IS_FACTOR, [tenantId, credentialId])).length === 1
  },
  use: (id, use) => useCredential(pool, tenantId, id, use),
  async rename(userId, id, name) {
    return (await run(pool, RENAME, [tenantId, userId, id, name])).length === 1
  },
  remove: (userId, ids, mail) =>
    inTransaction(pool, async (client) => {
      const removed = await run(client, REMOVE, [tenantId, userId, ids])
      if (removed.length > 0) await writeChangeMail(client, tenantId, mail)
      return removed.map(credentialFrom)
    }),
})

/** In a transaction that holds the user. */
export async function insertPasskey(
  client: PoolClient,
  tenantId: string,
  passkey: Passkey,
  { id: userId, emailVerified, phoneVerified, recoveryEpoch }: Pick<User, 'id'> & ProofStanding,
): Promise<boolean> {
  const values = [...valuesOf(tenantId, passkey), userId, emailVerified, phoneVerified, MAX_PASSKEYS, recoveryEpoch]
  return (await run(client, INSERT, values)).length === 1
}

const valuesOf = (tenantId: string, passkey: Passkey): unknown[] => {
  const { id, connectionId, providerUserId, name, userAgent, createdAt } = passkey
  return [tenantId, id, connectionId, providerUserId, ...credentialValues(passkey), name, userAgent, createdAt]
}

export function credentialValues(credential: PasskeyCredential): unknown[] {
  const { credentialId, publicKey, counter, transports, aaguid, multiDevice, backedUp, rpId, userHandle } = credential
  return [credentialId, publicKey, counter, transports, aaguid, multiDevice, backedUp, rpId, userHandle]
}
