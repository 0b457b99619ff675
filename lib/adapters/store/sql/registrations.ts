// Dynamically registered clients on PostgreSQL. A change requires the client's registration access token, which is part of every
// statement's condition. `forget` makes a change visible to this process at once; other processes see it within a second.
import type { RegisteredRecord, RegistrationPort } from '../../../data/clients/registration'
import { columns } from '../columns'
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
  row: columns<Omit<RegisteredRecord, 'isRegistered' | 'earlierSecretDigest' | 'earlierSecretExpiresAt'>>({
    clientId: 'text',
    name: 'text',
    secretDigest: 'bytes?',
    settings: 'json',
    issuedAt: 'date',
  }),
}

const REPLACE = {
  name: 'registration-replace',
  text: `UPDATE client SET name = $3, secret_digest = $4, settings = $5, updated_at = $7
WHERE tenant_id = $1 AND client_id = $2 AND registration_digest = $6 RETURNING 1`,
}

/** The client's tokens become invalid, because every use of a token looks up its client. Client ids are never reused. */
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
    return (await run(pool, FIND, [tenantId, clientId, tokenDigest]))[0] ?? null
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
