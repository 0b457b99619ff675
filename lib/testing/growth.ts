// Creates within a minute a database like one after years of use: one statement fills each growing table, in the proportions of
// a tenant whose users sign in from a few applications. As in production, most rows have expired.
import type { Pool } from 'pg'

export type Size = { users: number; families: number }

/** Row `n` of a table; `$2` is the number of users. */
type Filling = { table: string; rows(size: Size): number; columns: string; values: string }

const userOf = (n: string): string => `'auth0|' || md5((${n})::text)`
const DIGEST = "sha256(('x' || n)::bytea)"
const WHEN = "now() - n % 5184000 * interval '1 second'"

const FILLINGS: readonly Filling[] = [
  {
    table: 'client',
    rows: ({ users }) => users / 10,
    columns: 'tenant_id, client_id, name, settings, updated_at',
    values: `'default', 'registered' || n, 'App', '{"is_first_party":false}', now()`,
  },
  {
    table: '"user"',
    rows: ({ users }) => users,
    columns:
      'tenant_id, id, email, email_verified, name, nickname, picture, user_metadata, last_login_at, last_ip, logins_count',
    values: `'default', ${userOf('n')}, 'person' || n || '@mail.test', true, 'Person ' || n, 'person' || n,
      'https://s.gravatar.com/avatar/' || md5(n::text), '{"theme":"dark"}', ${WHEN}, '192.0.2.7', n % 50`,
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
    values: `'default', ${userOf('n * 5')}, 'rol_' || n % 10`,
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
]

export const GROWING: ReadonlySet<string> = new Set(FILLINGS.map(({ table }) => table.replaceAll('"', '')))

/** The tables have no statistics until ANALYZE runs, like tables that have just grown. */
export async function grow(pool: Pool, size: Size): Promise<void> {
  await pool.query(`INSERT INTO connection (tenant_id, id, name, strategy, settings, updated_at)
    VALUES ('default', 'con_database', 'Users', 'auth0', '{}', now()) ON CONFLICT DO NOTHING`)
  const client = await pool.connect()
  try {
    // The generated rows are consistent, so foreign keys need no lookups.
    await client.query('SET session_replication_role = replica')
    for (const filling of FILLINGS) {
      await client.query(`ALTER TABLE ${filling.table} SET (autovacuum_enabled = false)`)
      await client.query(insertOf(filling, size))
    }
    await client.query('SET session_replication_role = DEFAULT')
  } finally {
    client.release()
  }
}

function insertOf({ table, rows, columns, values }: Filling, size: Size): string {
  const count = Math.max(1, Math.floor(rows(size)))
  return `INSERT INTO ${table} (${columns}) SELECT ${values.replaceAll('$2', String(size.users))}
FROM generate_series(1, ${count}) AS n`
}
