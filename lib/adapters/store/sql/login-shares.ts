// Links to a copy of a login, on PostgreSQL. What a link shows is sealed. Withdrawn links are deleted, expired ones by clean-up.
import type { SharedContent, SharedLoginPort } from '../../../data/logins/login-share'
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
  text: `INSERT INTO login_share (tenant_id, id, digest, kind, login_id, user_id, person, sealed, maker, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9::json, $10, $11)`,
}

const COLUMNS = `id, kind, login_id AS "loginId", maker, created_at AS "createdAt", expires_at AS "expiresAt", openings,
  last_opened_at AS "lastOpenedAt"`

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
})

const LIST = {
  name: 'login-share-list',
  text: `SELECT ${COLUMNS} FROM login_share WHERE tenant_id = $1 AND ($2::text IS NULL OR login_id = $2) AND expires_at > $3
ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
  row: ROW,
}

const COUNT = {
  name: 'login-share-count',
  text: `SELECT count(*)::int AS count FROM login_share
WHERE tenant_id = $1 AND ($2::text IS NULL OR login_id = $2) AND expires_at > $3`,
  row: columns<{ count: number }>({ count: 'number' }),
}

const REMOVE = {
  name: 'login-share-remove',
  text: `DELETE FROM login_share WHERE tenant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  row: ROW,
}

const OPEN = {
  name: 'login-share-open',
  text: `UPDATE login_share SET openings = openings + 1, last_opened_at = $3
WHERE digest = $2 AND tenant_id = $1 AND expires_at > $3 AND latchkey_maker_stands(tenant_id, maker::jsonb)
RETURNING sealed, expires_at AS "expiresAt"`,
  row: columns<{ sealed: Buffer; expiresAt: Date }>({ sealed: 'bytes', expiresAt: 'date' }),
}

type Sealing = { vault: Vault; random: Random }

const rowOf = (found: FoundRow): LoginShareRow => ({
  ...found,
  kind: found.kind as LoginShareRow['kind'],
  maker: found.maker as LinkMaker,
})

export const loginShareStore = ({ pool }: Database, tenantId: string, { vault, random }: Sealing): LoginShareStore => ({
  async insert({ id, digest, content, loginId, userId, person, maker, createdAt, expiresAt }) {
    const sealed = vault.seal(CONTENT, JSON.stringify(content), random)
    const of = [loginId, userId, person === null ? null : personDigest(tenantId, person, vault)]
    await run(pool, INSERT, [
      ...[tenantId, id, digest, content.kind],
      ...of,
      ...[sealed, JSON.stringify(maker), createdAt, expiresAt],
    ])
  },
  async list({ loginId, now }, { offset, limit, counted }) {
    const values = [tenantId, loginId ?? null, now]
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
export const sharedLoginStore = ({ pool }: Database, tenantId: string, vault: Vault): SharedLoginPort => ({
  async open(secretDigest, now) {
    const [found] = await run(pool, OPEN, [tenantId, secretDigest, now])
    const plain = found && vault.open(CONTENT, found.sealed)
    return plain ? { ...(JSON.parse(plain.toString()) as SharedContent), expiresAt: found.expiresAt } : null
  },
})
