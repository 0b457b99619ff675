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

/** Its tokens end with it, since every use of one asks for its client; ids are never given twice. */
const REMOVE = {
  name: 'registration-remove',
  text: 'DELETE FROM client WHERE tenant_id = $1 AND client_id = $2 AND registration_digest = $3 RETURNING 1',
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
  async remove(clientId, tokenDigest) {
    const rows = await run(pool, REMOVE, [tenantId, clientId, tokenDigest])
    forget(clientId)
    return rows.length === 1
  },
})
