// What the login inspector shows, on PostgreSQL: a row for each login, by which it is found, and its parts, sealed.
// - The person is found by a keyed digest of the address. What is not sealed names the application, the connection and the user's id.
// - A batch is one statement. Rows are written in the order of their ids, so two servers never wait for each other in a circle.
import type { Pool } from 'pg'
import type { LoginPartStore, StoredPart } from '../../../data/logins/login-log'
import { canonical } from '../../../kernel/mail-address'
import type { Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import type { LoginFilter, LoginRecordStore, LoginRow } from '../../../management/resources/logins'
import { columns } from '../columns'
import { type Database, run } from '../database'

const PART = 'login part'

export const personDigest = (tenantId: string, address: string, vault: Vault): string =>
  vault.mac('login person', JSON.stringify([tenantId, canonical(address)])).toString('hex')

/** What another server stored decides nothing, where a later request has decided. */
const IS_OLDER = `(excluded.outcome = 'waiting' OR (r.outcome <> 'waiting' AND excluded.last_at < r.last_at))`

const APPEND = {
  name: 'login-append',
  text: `WITH logins AS (
  INSERT INTO login_record AS r (tenant_id, id, started_at, last_at, outcome, reason, client_id, client_name, connection,
    user_id, person, expires_at)
  SELECT $1, id, started_at, last_at, outcome, reason, client_id, client_name, connection, user_id,
    decode(person, 'hex'), expires_at
  FROM jsonb_to_recordset($2::jsonb) AS n (id text, started_at timestamptz, last_at timestamptz, outcome text, reason text,
    client_id text, client_name text, connection text, user_id text, person text, expires_at timestamptz)
  ORDER BY id
  ON CONFLICT (tenant_id, id) DO UPDATE SET
    started_at = least(r.started_at, excluded.started_at),
    last_at = greatest(r.last_at, excluded.last_at),
    outcome = CASE WHEN ${IS_OLDER} THEN r.outcome ELSE excluded.outcome END,
    reason = CASE WHEN ${IS_OLDER} THEN r.reason WHEN excluded.outcome = 'succeeded' THEN NULL
      ELSE coalesce(CASE WHEN r.outcome = 'failed' THEN r.reason END, excluded.reason) END,
    client_id = coalesce(excluded.client_id, r.client_id), client_name = coalesce(excluded.client_name, r.client_name),
    connection = coalesce(excluded.connection, r.connection), user_id = coalesce(excluded.user_id, r.user_id),
    person = coalesce(excluded.person, r.person)
)
INSERT INTO login_part (tenant_id, login_id, at, expires_at, sealed)
SELECT $1, login_id, at, expires_at, decode(sealed, 'base64')
FROM jsonb_to_recordset($3::jsonb) AS p (login_id text, at timestamptz, expires_at timestamptz, sealed text)`,
}

type Deps = { pool: Pool; vault: Vault; random: Random }

export const loginPartStore = ({ pool, vault, random }: Deps): LoginPartStore => ({
  async append(tenantId, parts) {
    const sealed = parts.map((part) => ({
      login_id: part.login,
      at: part.at,
      expires_at: part.expiresAt,
      sealed: vault.seal(PART, JSON.stringify(contentOf(part)), random).toString('base64'),
    }))
    await run(pool, APPEND, [tenantId, JSON.stringify(loginsOf(tenantId, parts, vault)), JSON.stringify(sealed)])
  },
})

const contentOf = ({ at, endpoint, requestId, outcome, reason, person, ip, userAgent, steps }: StoredPart) => ({
  ...{
    at: at.toISOString(),
    endpoint,
    request_id: requestId,
    outcome,
    reason,
    person,
    ip,
    user_agent: userAgent,
    steps,
  },
})

/** One row for each login, because a statement cannot write a row twice. */
function loginsOf(tenantId: string, parts: readonly StoredPart[], vault: Vault) {
  const rows = new Map<string, ReturnType<typeof rowOf>>()
  for (const part of parts) {
    const row = rowOf(tenantId, part, vault)
    const before = rows.get(row.id)
    rows.set(row.id, before ? merged(before, row) : row)
  }
  return [...rows.values()]
}

const rowOf = (tenantId: string, part: StoredPart, vault: Vault) => ({
  ...{ id: part.login, started_at: part.at, last_at: part.at, outcome: part.outcome, reason: part.reason },
  ...{ client_id: part.clientId, client_name: part.clientName, connection: part.connection, user_id: part.userId },
  person: part.person === null ? null : personDigest(tenantId, part.person, vault),
  expires_at: part.expiresAt,
})

type NewRow = ReturnType<typeof rowOf>

/** As the statement does it. */
function merged(before: NewRow, row: NewRow): NewRow {
  const failedBefore = before.outcome === 'failed' ? before.reason : null
  const { outcome, reason } = row.outcome === 'waiting' ? before : row
  return {
    ...row,
    started_at: before.started_at,
    outcome,
    reason: outcome === 'failed' ? (failedBefore ?? reason) : null,
    client_id: row.client_id ?? before.client_id,
    client_name: row.client_name ?? before.client_name,
    connection: row.connection ?? before.connection,
    user_id: row.user_id ?? before.user_id,
    person: row.person ?? before.person,
  }
}

const COLUMNS = `id, started_at AS "startedAt", last_at AS "lastAt", outcome, reason, client_id AS "clientId",
  client_name AS "clientName", connection, user_id AS "userId",
  (SELECT p.sealed FROM login_part p WHERE p.tenant_id = r.tenant_id AND p.login_id = r.id ORDER BY p.id DESC LIMIT 1) AS last`

type FoundRow = Omit<LoginRow, 'person'> & { last: Buffer | null }
const ROW = columns<FoundRow>({
  id: 'text',
  startedAt: 'date',
  lastAt: 'date',
  outcome: 'text',
  reason: 'text?',
  clientId: 'text?',
  clientName: 'text?',
  connection: 'text?',
  userId: 'text?',
  last: 'bytes?',
})

/** A link names the logins that it began. */
const OF_SHARE = `($7::text IS NULL OR id = ANY((SELECT s.logins FROM login_share s WHERE s.tenant_id = $1 AND s.id = $7)::text[]))`

const LIST = {
  name: 'login-list',
  text: `SELECT ${COLUMNS} FROM login_record r WHERE tenant_id = $1
  AND ($2::text IS NULL OR outcome = $2) AND ($3::text IS NULL OR client_id = $3)
  AND ($4::text IS NULL OR connection = $4) AND ($5::text IS NULL OR user_id = $5 OR person = decode($6, 'hex'))
  AND ${OF_SHARE}
ORDER BY started_at DESC, id DESC LIMIT $8 OFFSET $9`,
  row: ROW,
}

const COUNT = {
  name: 'login-count',
  text: `SELECT count(*)::int AS count FROM (SELECT 1 FROM login_record WHERE tenant_id = $1
  AND ($2::text IS NULL OR outcome = $2) AND ($3::text IS NULL OR client_id = $3)
  AND ($4::text IS NULL OR connection = $4) AND ($5::text IS NULL OR user_id = $5 OR person = decode($6, 'hex'))
  AND ${OF_SHARE}
LIMIT 1000) found`,
  row: columns<{ count: number }>({ count: 'number' }),
}

const FIND = {
  name: 'login-find',
  text: `SELECT ${COLUMNS} FROM login_record r WHERE tenant_id = $1 AND id = $2`,
  row: ROW,
}

const PARTS = {
  name: 'login-parts',
  text: 'SELECT sealed FROM login_part WHERE tenant_id = $1 AND login_id = $2 ORDER BY at, id LIMIT 200',
  row: columns<{ sealed: Buffer }>({ sealed: 'bytes' }),
}

export function loginRecordStore({ pool }: Database, tenantId: string, vault: Vault): LoginRecordStore {
  const opened = (sealed: Buffer | null) => {
    const plain = sealed && vault.open(PART, sealed)
    return plain ? JSON.parse(plain.toString()) : null
  }
  const presented = ({ last, ...row }: FoundRow): LoginRow => ({ ...row, person: opened(last)?.person ?? null })
  const valuesOf = ({ outcome, clientId, connection, person, share }: LoginFilter) => {
    const digest = person === undefined ? null : personDigest(tenantId, person, vault)
    return [tenantId, outcome ?? null, clientId ?? null, connection ?? null, person ?? null, digest, share ?? null]
  }
  return {
    async list(filter, { offset, limit, counted }) {
      const values = valuesOf(filter)
      const rows = await run(pool, LIST, [...values, limit, offset])
      const [count] = counted ? await run(pool, COUNT, values) : []
      return { rows: rows.map(presented), total: count?.count ?? 0 }
    },
    async find(id) {
      const [row] = await run(pool, FIND, [tenantId, id])
      if (!row) return null
      const parts = await run(pool, PARTS, [tenantId, id])
      return { ...presented(row), parts: parts.flatMap(({ sealed }) => opened(sealed) ?? []) }
    },
  }
}

const NAMES = {
  name: 'login-erase-names',
  text: `SELECT DISTINCT personal::json ->> 'user_name' AS name FROM audit_record
WHERE tenant_id = $1 AND user_id = $2 AND personal IS NOT NULL`,
  row: columns<{ name: string | null }>({ name: 'text?' }),
}

/** Links to copies of the logins end with them, also to those of logins that are gone. */
const ERASE = {
  name: 'login-erase',
  text: `WITH doomed AS (
  SELECT id FROM login_record WHERE tenant_id = $1
    AND (user_id = $2 OR (user_id IS NULL AND encode(person, 'hex') = ANY($3)))
  ORDER BY id FOR UPDATE
), gone AS (
  DELETE FROM login_record r USING doomed WHERE r.tenant_id = $1 AND r.id = doomed.id RETURNING r.id
), shares AS (
  DELETE FROM login_share WHERE tenant_id = $1
    AND (login_id IN (SELECT id FROM gone) OR user_id = $2 OR (user_id IS NULL AND encode(person, 'hex') = ANY($3)))
)
SELECT 1 FROM gone`,
}

/** Before the audit log, whose records know the addresses of the user. Returns the number of logins. */
export async function eraseLogins(pool: Pool, tenantId: string, userId: string, vault: Vault): Promise<number> {
  const names = await run(pool, NAMES, [tenantId, userId])
  const digests = names.flatMap(({ name }) => (name === null ? [] : [personDigest(tenantId, name, vault)]))
  return (await run(pool, ERASE, [tenantId, userId, digests])).length
}
