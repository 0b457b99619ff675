// Clients that registered themselves, on PostgreSQL. Whoever changes one must hold its registration access token: that
// is part of every statement's condition. `forget` makes this process see a change at once; others within a second.
import type { RegisteredRecord, RegistrationPort } from '../../clients/registration'
import { type Database, run } from '../database'

const INSERT = {
  name: 'registration-insert',
  text: `INSERT INTO client (tenant_id, client_id, name, secret_digest, settings, registration_digest, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
}

const FIND = {
  name: 'registration-find',
  text: `SELECT client_id AS "clientId", name, secret_digest AS "secretDigest", settings, created_at AS "issuedAt"
FROM client WHERE tenant_id = $1 AND client_id = $2 AND registration_digest = $3`,
}

const REPLACE = {
  name: 'registration-replace',
  text: `UPDATE client SET name = $3, secret_digest = $4, settings = $5, updated_at = $7
WHERE tenant_id = $1 AND client_id = $2 AND registration_digest = $6 RETURNING 1`,
}

const REMOVE = {
  name: 'registration-remove',
  text: `WITH gone AS (
  DELETE FROM client WHERE tenant_id = $1 AND client_id = $2 AND registration_digest = $3 RETURNING tenant_id, client_id
), families AS (
  UPDATE token_family f SET revoked_at = $4 FROM gone
  WHERE f.tenant_id = gone.tenant_id AND f.client_id = gone.client_id AND revoked_at IS NULL
), devices AS (
  DELETE FROM device_authorization d USING gone WHERE d.tenant_id = gone.tenant_id AND d.client_id = gone.client_id
), consents AS (
  DELETE FROM consent c USING gone WHERE c.tenant_id = gone.tenant_id AND c.client_id = gone.client_id
)
SELECT 1 FROM gone`,
}

export const registrationStore = (
  { pool }: Database,
  tenantId: string,
  forget: (clientId: string) => void,
): RegistrationPort => ({
  async insert({ clientId, name, secretDigest, settings }, tokenDigest, at) {
    const values = [tenantId, clientId, name, secretDigest, JSON.stringify(settings), tokenDigest, at]
    await run(pool, INSERT, values)
    forget(clientId)
  },
  async find(clientId, tokenDigest) {
    return (await run<RegisteredRecord>(pool, FIND, [tenantId, clientId, tokenDigest]))[0] ?? null
  },
  async replace({ clientId, name, secretDigest, settings }, tokenDigest, at) {
    const values = [tenantId, clientId, name, secretDigest, JSON.stringify(settings), tokenDigest, at]
    const rows = await run(pool, REPLACE, values)
    forget(clientId)
    return rows.length === 1
  },
  async remove(clientId, tokenDigest, at) {
    const rows = await run(pool, REMOVE, [tenantId, clientId, tokenDigest, at])
    forget(clientId)
    return rows.length === 1
  },
})
