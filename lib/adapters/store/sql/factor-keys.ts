// The keys of second factors on PostgreSQL. They are in the table of the passkeys, with the id of their authenticator.
import type { FactorKey, FactorKeyPort } from '../../../identity/mfa/factor-key'
import { columns } from '../columns'
import { type Database, run } from '../database'
import {
  CREDENTIAL,
  CREDENTIAL_COLUMNS,
  type CredentialRow,
  credentialFrom,
  credentialValues,
  useCredential,
} from './passkeys'

const LIST = {
  name: 'factor-key-list',
  text: `SELECT ${CREDENTIAL_COLUMNS} FROM webauthn_credential c
JOIN authenticator a ON a.tenant_id = c.tenant_id AND a.id = c.authenticator_id
WHERE a.tenant_id = $1 AND a.user_id = $2 ORDER BY c.created_at, c.id`,
  row: columns<CredentialRow>(CREDENTIAL),
}

/** The primary key is the authenticator's id, so an authenticator has one key. */
const INSERT = {
  name: 'factor-key-insert',
  text: `WITH named AS (
  UPDATE authenticator SET name = $12 WHERE tenant_id = $1 AND id = $2 AND user_id = $15 AND NOT active RETURNING id
)
INSERT INTO webauthn_credential (tenant_id, id, authenticator_id, credential_id, public_key, counter, transports, aaguid, multi_device,
  backed_up, rp_id, user_handle, name, user_agent, created_at)
SELECT $1, $2, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 FROM named
ON CONFLICT DO NOTHING RETURNING 1`,
}

export const factorKeyStore = ({ pool }: Database, tenantId: string): FactorKeyPort => ({
  async list(userId) {
    return (await run(pool, LIST, [tenantId, userId])).map(credentialFrom)
  },
  async insert(userId, key: FactorKey) {
    const values = [tenantId, key.id, ...credentialValues(key), key.name, key.userAgent, key.createdAt, userId]
    return (await run(pool, INSERT, values)).length === 1
  },
  use: (id, use) => useCredential(pool, tenantId, id, use),
})
