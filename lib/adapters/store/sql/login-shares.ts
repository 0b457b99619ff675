// Links to a copy or to a test of a login, on PostgreSQL. What a link shows is sealed. Withdrawn links are deleted, expired ones by clean-up.
import type { SharedContent, SharedLoginPort } from '../../../data/login-tests/login-share'
import type { LinkMaker } from '../../../data/tickets/ticket'
import type { Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import type { LoginShareRow, LoginShareStore } from '../../../management/resources/login-shares'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { personDigest } from './login-records'

const CONTENT = 'login share'

const INSERT = {
  name: 'login-share-insert',
  text: `INSERT INTO login_share (tenant_id, id, digest, kind, login_id, user_id, person, sealed, maker, created_at, expires_at,
  client_id, client_name, connection, organization, organization_name, max_tries)
VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9::json, $10, $11, $12, $13, $14, $15, $16, $17)`,
}

const COLUMNS = `s.id, s.kind, s.login_id AS "loginId", s.maker, s.created_at AS "createdAt", s.expires_at AS "expiresAt", s.openings,
  s.last_opened_at AS "lastOpenedAt", s.client_id AS "clientId", s.client_name AS "clientName", s.connection, s.organization,
  s.organization_name AS "organizationName", cardinality(s.logins) AS tries, s.max_tries AS "maxTries", s.last_tried_at AS "lastTriedAt",
  r.outcome AS "lastOutcome", r.reason AS "lastReason"`

/** The login of its last test. */
const LAST = 'LEFT JOIN login_record r ON r.tenant_id = s.tenant_id AND r.id = s.logins[cardinality(s.logins)]'

type FoundRow = Omit<LoginShareRow, 'kind' | 'maker'> & { kind: string; maker: unknown }
const ROW = columns<FoundRow>({
  id: 'text',
  kind: 'text',
  loginId: 'text?',
  maker: 'json',
  createdAt: 'date',
  expiresAt: 'date',
  openings: 'number',
  lastOpenedAt: 'date?',
  clientId: 'text?',
  clientName: 'text?',
  connection: 'text?',
  organization: 'text?',
  organizationName: 'text?',
  tries: 'number',
  maxTries: 'number',
  lastTriedAt: 'date?',
  lastOutcome: 'text?',
  lastReason: 'text?',
})

const WANTED = `s.tenant_id = $1 AND s.expires_at > $2 AND ($3::text IS NULL OR s.kind = $3) AND ($4::text IS NULL OR s.login_id = $4)
  AND ($5::text IS NULL OR s.client_id = $5) AND ($6::text IS NULL OR s.connection = $6)
  AND ($7::text IS NULL OR s.organization = $7)`

const LIST = {
  name: 'login-share-list',
  text: `SELECT ${COLUMNS} FROM login_share s ${LAST} WHERE ${WANTED} ORDER BY s.created_at DESC, s.id DESC LIMIT $8 OFFSET $9`,
  row: ROW,
}

const COUNT = {
  name: 'login-share-count',
  text: `SELECT count(*)::int AS count FROM login_share s WHERE ${WANTED}`,
  row: columns<{ count: number }>({ count: 'number' }),
}

const REMOVE = {
  name: 'login-share-remove',
  text: `WITH s AS (DELETE FROM login_share WHERE tenant_id = $1 AND id = $2 RETURNING *)
SELECT ${COLUMNS} FROM s ${LAST}`,
  row: ROW,
}

/** A link to a test needs both rights of who made it; an administrator's role has been compared with both. */
const STANDS = `expires_at > $3 AND latchkey_maker_stands(tenant_id, maker::jsonb)
  AND (kind <> 'test' OR latchkey_maker_stands(tenant_id, maker::jsonb || '{"scope": "create:login_tests"}'))`

const OPEN = {
  name: 'login-share-open',
  text: `UPDATE login_share SET openings = openings + $4::int, last_opened_at = CASE WHEN $4 = 0 THEN last_opened_at ELSE $3 END
WHERE digest = $2 AND tenant_id = $1 AND ${STANDS}
RETURNING sealed, expires_at AS "expiresAt", max_tries - cardinality(logins) AS "triesLeft"`,
  row: columns<{ sealed: Buffer; expiresAt: Date; triesLeft: number }>({
    sealed: 'bytes',
    expiresAt: 'date',
    triesLeft: 'number',
  }),
}

const TAKE_TRY = {
  name: 'login-share-try',
  text: `UPDATE login_share SET logins = logins || $4::text, last_tried_at = $3
WHERE digest = $2 AND tenant_id = $1 AND kind = 'test' AND cardinality(logins) < max_tries AND ${STANDS}
RETURNING sealed`,
  row: columns<{ sealed: Buffer }>({ sealed: 'bytes' }),
}

type Sealing = { vault: Vault; random: Random }

const rowOf = (found: FoundRow): LoginShareRow => ({
  ...found,
  kind: found.kind as LoginShareRow['kind'],
  maker: found.maker as LinkMaker,
})

export const loginShareStore = ({ pool }: Database, tenantId: string, { vault, random }: Sealing): LoginShareStore => ({
  async insert({ id, digest, content, loginId, userId, person, maker, createdAt, expiresAt, ...about }) {
    const sealed = vault.seal(CONTENT, JSON.stringify(content), random)
    const of = [loginId, userId, person === null ? null : personDigest(tenantId, person, vault)]
    await run(pool, INSERT, [
      ...[tenantId, id, digest, content.kind],
      ...of,
      ...[sealed, JSON.stringify(maker), createdAt, expiresAt],
      ...[about.clientId, about.clientName, about.connection, about.organization, about.organizationName],
      about.maxTries,
    ])
  },
  async list({ now, kind, loginId, clientId, connection, organization }, { offset, limit, counted }) {
    const filters = [kind, loginId, clientId, connection, organization].map((each) => each ?? null)
    const values = [tenantId, now, ...filters]
    const rows = await run(pool, LIST, [...values, limit, offset])
    const [count] = counted ? await run(pool, COUNT, values) : []
    return { rows: rows.map(rowOf), total: count?.count ?? 0 }
  },
  async remove(id) {
    const [removed] = await run(pool, REMOVE, [tenantId, id])
    return removed ? rowOf(removed) : null
  },
})

/** For the page of the link. */
export function sharedLoginStore({ pool }: Database, tenantId: string, vault: Vault): SharedLoginPort {
  const opened = (sealed: Buffer): SharedContent | null => {
    const plain = vault.open(CONTENT, sealed)
    return plain && (JSON.parse(plain.toString()) as SharedContent)
  }
  return {
    async open(secretDigest, now, isCounted) {
      const [found] = await run(pool, OPEN, [tenantId, secretDigest, now, isCounted ? 1 : 0])
      const content = found && opened(found.sealed)
      return content ? { ...content, expiresAt: found.expiresAt, triesLeft: found.triesLeft } : null
    },
    async takeTry(secretDigest, login, now) {
      const [found] = await run(pool, TAKE_TRY, [tenantId, secretDigest, now, login])
      const content = found && opened(found.sealed)
      return content?.kind === 'test' ? content.test : null
    },
  }
}
