// Creates within a minute a database like one after years of use: one statement fills each growing table, in the proportions of
// a tenant whose users sign in from a few applications. As in production, most rows have expired.
import type { Pool, PoolClient } from 'pg'
import { ensureDay } from '../adapters/store/sql/audit-days'
import { addSeconds } from '../kernel/clock'

export type GrowthSize = { users: number; families: number }

/** Row `n` of a table; `$2` is the number of users, `$3` that of organizations. */
type Filling = { table: string; rows(size: GrowthSize): number; columns: string; values: string }

const AUDIT_DAYS = 30
const DAY_SECONDS = 86_400

/** One organization has half of all members; the others have the rest in equal parts. */
export const LARGE_ORGANIZATION = 'org_1'
const ORGANIZATION = "'org_' || CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % $3 END"

/** The last of the ten is rare. */
export const RARE_ROLE = 'rol_9'
const ROLE = "'rol_' || CASE WHEN n % 1000 = 0 THEN 9 ELSE n % 9 END"

const userOf = (n: string): string => `'auth0|' || md5((${n})::text)`
const DIGEST = "sha256(('x' || n)::bytea)"
const WHEN = "now() - n % 5184000 * interval '1 second'"
/** In the order of their numbers, over the days that are kept. */
const STORED = `(now() - ($2 - n) * ${AUDIT_DAYS}::float8 / $2 * interval '1 day')`

const FILLINGS: readonly Filling[] = [
  {
    table: 'client',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, client_id, name, registration_digest, settings, created_at, updated_at',
    values: `'default', 'registered' || n, 'App', ${DIGEST}, '{"is_first_party":false}', ${WHEN}, now()`,
  },
  {
    table: '"user"',
    rows: ({ users }) => users,
    columns:
      'tenant_id, id, email, email_verified, name, nickname, picture, user_metadata, last_login_at, last_ip, logins_count, created_at',
    values: `'default', ${userOf('n')}, 'person' || n || '@mail.test', true, 'Person ' || n, 'person' || n,
      'https://s.gravatar.com/avatar/' || md5(n::text), '{"theme":"dark"}', ${WHEN}, '192.0.2.7', n % 50, ${WHEN}`,
  },
  {
    table: 'identity',
    rows: ({ users }) => users,
    columns: 'tenant_id, connection_id, provider_user_id, provider, user_id, email_key, password_hash',
    values: `'default', 'con_database', md5(n::text), 'auth0', ${userOf('n')}, 'person' || n || '@mail.test',
      '$argon2id$v=19$m=19456,t=2,p=1$' || substr(md5(n::text), 1, 22) || '$' || md5('h' || n) || substr(md5('i' || n), 1, 11)`,
  },
  {
    table: 'authenticator',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, id, user_id, type, channel, active, sealed, secret_digest, created_at',
    values: `'default', 'push|dev_' || n, ${userOf('n * 5')}, 'oob', 'auth0', n % 10 > 0, ${DIGEST}, ${DIGEST}, ${WHEN}`,
  },
  {
    table: 'webauthn_credential',
    rows: ({ users }) => users / 3,
    columns:
      'tenant_id, id, connection_id, provider_user_id, credential_id, public_key, counter, transports, aaguid, multi_device, backed_up, rp_id, user_handle, created_at',
    values: `'default', 'passkey|dev_' || n, 'con_database', md5((n * 3)::text), md5('credential' || n), ${DIGEST}, 0, '{internal}',
      'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', true, true, 'id.test', ${DIGEST}, ${WHEN}`,
  },
  {
    table: 'known_browser',
    rows: ({ users }) => users / 2,
    columns: 'tenant_id, user_id, digest, created_at, seen_at',
    values: `'default', ${userOf('n * 2')}, ${DIGEST}, ${WHEN}, ${WHEN}`,
  },
  {
    table: 'device_credential',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, id, user_id, client_id, type, device_name, device_id, value, created_at',
    values: `'default', 'dcr_' || n, ${userOf('n * 10')}, 'app', 'public_key', 'Phone', 'd' || n, 'key', ${WHEN}`,
  },
  {
    table: 'consent',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, user_id, client_id, audience, scopes, granted_at',
    values: `'default', ${userOf('n * 5')}, 'registered' || n % 100, '', '{openid,profile}', ${WHEN}`,
  },
  {
    table: 'user_role',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, user_id, role_id',
    values: `'default', ${userOf('n * 5')}, ${ROLE}`,
  },
  {
    table: 'user_permission',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, user_id, audience, permission',
    values: `'default', ${userOf('n * 10')}, 'https://api.test', 'read:it'`,
  },
  {
    table: 'user_picture',
    rows: ({ users }) => users / 20,
    columns: 'tenant_id, user_id, name, extension, bytes, created_at',
    values: `'default', ${userOf('n * 20')}, md5(n::text), 'png', ${DIGEST}, ${WHEN}`,
  },
  {
    table: 'organization',
    rows: organizationsOf,
    columns: 'tenant_id, id, name, settings, created_at, updated_at',
    values: `'default', 'org_' || n, 'org-' || n, '{}', ${WHEN}, ${WHEN}`,
  },
  {
    table: 'organization_member',
    rows: ({ users }) => users / 2,
    columns: 'tenant_id, organization_id, user_id',
    values: `'default', ${ORGANIZATION}, ${userOf('n')}`,
  },
  {
    table: 'organization_member_role',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, organization_id, user_id, role_id',
    values: `'default', ${ORGANIZATION}, ${userOf('n')}, ${ROLE}`,
  },
  {
    table: 'organization_connection',
    rows: organizationsOf,
    columns: 'tenant_id, organization_id, connection_id, assign_membership, show_as_button, signup_enabled, enabled',
    values: `'default', 'org_' || n, 'con_database', true, true, false, true`,
  },
  {
    table: 'organization_invitation',
    rows: ({ users }) => users / 10,
    columns: `tenant_id, id, organization_id, ticket_digest, sealed_link, client_id, inviter_name, email, roles, user_metadata,
      app_metadata, created_at, expires_at`,
    values: `'default', 'uinv_' || n, ${ORGANIZATION}, ${DIGEST}, ${DIGEST}, 'app', 'Jane', 'guest' || n || '@mail.test', '{}', '{}', '{}',
      ${WHEN}, ${WHEN} + interval '7 days'`,
  },
  {
    table: 'organization_domain',
    rows: organizationsOf,
    columns: 'tenant_id, id, organization_id, domain, challenge, created_at',
    values: `'default', 'org_dom_' || n, 'org_' || n, 'domain' || n || '.test', 'challenge', ${WHEN}`,
  },
  {
    table: 'organization_client_grant',
    rows: organizationsOf,
    columns: 'tenant_id, organization_id, client_grant_id',
    values: `'default', 'org_' || n, 'cgr_1'`,
  },
  {
    table: 'login_transaction',
    rows: ({ users }) => users,
    columns: 'handle_digest, tenant_id, origin, wants, browser_digest, user_id, created_at, expires_at, consumed_at',
    values: `${DIGEST}, 'default', json_build_object('protocol', 'oidc', 'request', repeat('x', 400)), '{"prompt":[]}', ${DIGEST},
      CASE WHEN n % 5 = 0 THEN ${userOf('n')} END, ${WHEN}, ${WHEN} + interval '1 hour', CASE WHEN n % 3 > 0 THEN ${WHEN} END`,
  },
  {
    table: 'mfa_challenge',
    rows: ({ users }) => users / 5,
    columns:
      'digest, tenant_id, transaction_digest, user_id, authenticator_id, channel, created_at, expires_at, consumed_at',
    values: `${DIGEST}, 'default', ${DIGEST}, ${userOf('n')}, 'push|dev_' || n, 'auth0', ${WHEN}, ${WHEN}, ${WHEN}`,
  },
  {
    table: 'session',
    rows: ({ users }) => users,
    columns: `id_digest, tenant_id, sid, user_id, evidence, auth_time, participants, created_at, last_seen_at, idle_expires_at,
      expires_at, ended_at`,
    values: `${DIGEST}, 'default', md5('sid' || n), ${userOf('n')}, '[{"method":"pwd","at":1700000000,"connection":"con_database"}]', ${WHEN},
      '{app,registered1}', ${WHEN}, ${WHEN}, ${WHEN} + interval '3 days', ${WHEN} + interval '7 days', CASE WHEN n % 2 = 0 THEN ${WHEN} END`,
  },
  {
    table: 'saml_participant',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, sid, client_id, name_id, name_id_format, expires_at',
    values: `'default', md5('sid' || n), 'app', 'person', 'email', ${WHEN}`,
  },
  {
    table: 'one_time_code',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, connection_id, address, client_id, digest, created_at, expires_at',
    values: `'default', 'con_email', 'person' || n || '@mail.test', 'app', ${DIGEST}, ${WHEN}, ${WHEN}`,
  },
  {
    table: 'attempt_counter',
    rows: ({ users }) => users / 5,
    columns: 'tenant_id, key, count, expires_at',
    values: `'default', ${DIGEST}, 1, ${WHEN} + interval '30 days'`,
  },
  {
    table: 'guess_source',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, account, key, address, expires_at',
    values: `'default', ${DIGEST}, ${DIGEST}, '192.0.2.7', ${WHEN} + interval '30 days'`,
  },
  {
    table: 'rate_bucket',
    rows: ({ users }) => users / 5,
    columns: 'key, burst, per_minute, taken, tokens, at, kept_until',
    values: `${DIGEST}, 10, 10, 1, 9, ${WHEN}, ${WHEN}`,
  },
  {
    table: 'device_authorization',
    rows: ({ users }) => users / 2,
    columns: `digest, tenant_id, user_code_digest, client_id, scopes, interval_seconds, family_id, created_at, expires_at`,
    values: `${DIGEST}, 'default', ${DIGEST}, 'app', '{openid}', 5, gen_random_uuid(), ${WHEN}, ${WHEN}`,
  },
  {
    table: 'ticket',
    rows: ({ users }) => users / 2,
    columns: 'digest, tenant_id, kind, subject, payload, created_at, expires_at, consumed_at',
    values: `${DIGEST}, 'default', 'reset-password', CASE WHEN n % 2 = 0 THEN ${userOf('n')} END, '{}', ${WHEN}, ${WHEN}, ${WHEN}`,
  },
  {
    table: 'token_family',
    rows: ({ families }) => families,
    columns: `id, tenant_id, client_id, user_id, scopes, audience, sid, authentication, generation, rotated_at, idle_expires_at,
      created_at, expires_at, revoked_at, redeemed_at`,
    values: `gen_random_uuid(), 'default', 'app', ${userOf('1 + n % $2')}, '{openid,profile,email,offline_access}', 'https://api.test',
      md5('sid' || n), '{"auth_time":1700000000,"methods":["pwd"]}', 3, ${WHEN}, ${WHEN} + interval '15 days', ${WHEN},
      ${WHEN} + interval '30 days', CASE WHEN n % 4 = 0 THEN ${WHEN} END, ${WHEN}`,
  },
  {
    table: 'outbox_message',
    rows: ({ users }) => users,
    columns: 'id, tenant_id, channel, recipient, created_at, sent_at',
    values: `gen_random_uuid(), 'default', 'email', 'person' || n || '@mail.test', ${WHEN}, ${WHEN}`,
  },
  {
    table: 'idempotency_key',
    rows: ({ users }) => users,
    columns: 'tenant_id, caller, key, request, created_at, expires_at',
    values: `'default', sha256(('c' || n % 100)::text::bytea), ${DIGEST}, ${DIGEST}, ${WHEN}, ${WHEN} + interval '1 day'`,
  },
  {
    table: 'action_run',
    rows: ({ users }) => users,
    columns: 'tenant_id, at, trigger, action, outcome, milliseconds, lines',
    values: `'default', ${WHEN}, 'post-login', 'a', 'done', 3, '[]'`,
  },
  {
    table: 'audit_record',
    rows: ({ users }) => users,
    columns: 'tenant_id, seq, stored_at, at, log_id, type, content, personal_digest, hash, user_id',
    values: `'default', n, ${STORED}, ${STORED}, '900' || to_char(${STORED} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || lpad(n::text, 27, '0'),
      CASE WHEN n % 1000 = 0 THEN 'fp' WHEN n % 2 = 0 THEN 's' ELSE 'seacft' END, '{}', ${DIGEST}, ${DIGEST},
      CASE WHEN n % 10 > 0 THEN ${userOf('n')} END`,
  },
]

function organizationsOf({ users }: GrowthSize): number {
  return Math.ceil(users / 100)
}

export const GROWING: ReadonlySet<string> = new Set(FILLINGS.map(({ table }) => table.replaceAll('"', '')))

/** The tables have no statistics until ANALYZE runs, like tables that have just grown. */
export async function grow(pool: Pool, size: GrowthSize): Promise<void> {
  await pool.query(`INSERT INTO connection (tenant_id, id, name, strategy, settings, updated_at)
    VALUES ('default', 'con_database', 'Users', 'auth0', '{}', now()) ON CONFLICT DO NOTHING`)
  await pool.query(`INSERT INTO role (tenant_id, id, name)
    SELECT 'default', 'rol_' || n, 'Role ' || n FROM generate_series(0, 9) AS n`)
  await pool.query(`INSERT INTO client_grant (tenant_id, id, client_id, audience, scopes)
    SELECT 'default', 'cgr_' || n, 'registered' || n, 'https://api.test', '{read:it}' FROM generate_series(1, 9) AS n`)
  await makeAuditDays(pool)
  const client = await pool.connect()
  try {
    // The generated rows are consistent, so foreign keys need no lookups.
    await client.query('SET session_replication_role = replica')
    for (const filling of FILLINGS) {
      await switchOffAutovacuum(client, filling.table)
      await withoutIndexes(client, filling.table, () => client.query(insertOf(filling, size)))
    }
    await client.query('SET session_replication_role = DEFAULT')
    await client.query(
      `INSERT INTO audit_chain (tenant_id, seq, hash, stored_at, anchor_seq, anchor_hash, mac)
       VALUES ('default', $1, '\\x00', now(), 0, '\\x00', '\\x00') ON CONFLICT (tenant_id) DO UPDATE SET seq = $1, anchor_seq = 0`,
      [size.users],
    )
  } finally {
    client.release()
  }
}

/** The days of the records, and the end of their chain. */
async function makeAuditDays(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ now: Date }>('SELECT now() AS now')
  for (let day = -AUDIT_DAYS; day <= 0; day += 1)
    await ensureDay(pool, addSeconds(rows[0]?.now ?? new Date(0), day * DAY_SECONDS))
}

/** A partitioned table has no such setting; its partitions have. */
async function switchOffAutovacuum(client: PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND (oid = $1::regclass
     OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass))`,
    [table],
  )
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`)
}

/** An index is built in much less time than it grows in. Those of constraints stay. */
async function withoutIndexes(client: PoolClient, table: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = $1::regclass AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`,
    [table],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await work()
  // Of a partitioned table, the definition has `ON ONLY`, which would leave its partitions out.
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
  // A table that grew with its indexes does not know its size.
  await client.query(
    `UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relkind = 'r' AND (oid = $1::regclass
     OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass))`,
    [table],
  )
}

function insertOf({ table, rows, columns, values }: Filling, size: GrowthSize): string {
  const count = Math.max(1, Math.floor(rows(size)))
  const row = values.replaceAll('$2', String(size.users)).replaceAll('$3', String(organizationsOf(size)))
  return `INSERT INTO ${table} (${columns}) SELECT ${row} FROM generate_series(1, ${count}) AS n`
}
