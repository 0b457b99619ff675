// The SAML service providers of a session, on PostgreSQL.
import type { SamlParticipant, SamlParticipantPort } from '../../../data/sessions/saml-participant'
import { columns } from '../columns'
import { type Database, run } from '../database'

const RECORD = {
  name: 'saml-participant-record',
  text: `INSERT INTO saml_participant (tenant_id, sid, client_id, name_id, name_id_format, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, sid, client_id) DO UPDATE
SET name_id = excluded.name_id, name_id_format = excluded.name_id_format, expires_at = excluded.expires_at`,
}

const LIST = {
  name: 'saml-participant-list',
  text: `SELECT client_id AS "clientId", name_id AS "nameId", name_id_format AS "nameIdFormat"
FROM saml_participant WHERE tenant_id = $1 AND sid = $2 ORDER BY client_id`,
  row: columns<SamlParticipant>({ clientId: 'text', nameId: 'text', nameIdFormat: 'text' }),
}

export const samlParticipantStore = ({ pool }: Database, tenantId: string): SamlParticipantPort => ({
  async record(sid, { clientId, nameId, nameIdFormat }, expiresAt) {
    await run(pool, RECORD, [tenantId, sid, clientId, nameId, nameIdFormat, expiresAt])
  },
  list: (sid) => run(pool, LIST, [tenantId, sid]),
})
