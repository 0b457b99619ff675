// What the doctor reads of the database.
import type { Pool } from 'pg'
import type { ClientRecord } from '../../../data/clients/client'
import type { Need } from '../../../identity/tenant-code/actions/need'
import type { needsOfDocuments } from '../../../identity/tenant-code/scripts/needs'

export type ServerFacts = {
  /** The form of `server_version_num`: 150004. */
  version: number
  maxConnections: number
  synchronousCommit: string
  fsync: string
  fullPageWrites: string
  now: Date
}

const SERVER = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('max_connections')::int AS "maxConnections", current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites", now() AS now`

export async function readServerFacts(pool: Pool): Promise<ServerFacts> {
  const { rows } = await pool.query<ServerFacts>(SERVER)
  return rows[0] as ServerFacts
}

/** A trigger whose actions deliver messages in place of the server: those bound to it, and those deployed for it. */
export type DeliveringFacts = { tenant: string; trigger: string; bound: string[]; deployed: string[] }

const DELIVERING = `WITH delivering (tenant_id, trigger) AS (
  SELECT tenant_id, 'custom-' || kind || '-provider' FROM message_provider
  WHERE name = 'custom' AND cardinality(channels) > 0
  UNION ALL SELECT id, 'send-phone-message' FROM tenant
  WHERE settings #>> '{guardianPhoneFactorSelectedProvider,provider}' = 'phone-message-hook'
)
SELECT tenant_id AS tenant, trigger,
  ARRAY(SELECT jsonb_path_query(settings::jsonb -> 'triggers' -> trigger, '$[*].action_name') #>> '{}') AS bound,
  ARRAY(SELECT name FROM action WHERE action.tenant_id = tenant.id AND action.settings ->> 'trigger' = trigger
    AND action.settings ->> 'deployed' IS DISTINCT FROM 'false') AS deployed
FROM delivering JOIN tenant ON tenant.id = delivering.tenant_id ORDER BY 1, 2`

export const findDelivering = async (pool: Pool): Promise<DeliveringFacts[]> =>
  (await pool.query<DeliveringFacts>(DELIVERING)).rows

const WITHOUT_MAIL = `SELECT count(*)::int AS count FROM tenant WHERE NOT EXISTS (
  SELECT FROM message_provider WHERE tenant_id = tenant.id AND 'email' = ANY(channels))`

/** Tenants that no mail provider of their own sends for. */
export const countWithoutMail = async (pool: Pool): Promise<number> =>
  (await pool.query<{ count: number }>(WITHOUT_MAIL)).rows[0]?.count ?? 0

const FACTORS = `SELECT jsonb_path_query(settings::jsonb, '$.guardianFactors[*] ? (@.enabled == true).name') #>> '{}' AS name
FROM tenant WHERE id = $1`

const WITH_PASSKEYS = `SELECT name FROM connection WHERE tenant_id = $1
  AND settings::jsonb @> '{"options": {"authentication_methods": {"passkey": {"enabled": true}}}}' ORDER BY name`

export async function readPasskeyFacts(
  pool: Pool,
  tenantId: string,
): Promise<{ connections: string[]; factors: string[] }> {
  const namesOf = async (statement: string): Promise<string[]> =>
    (await pool.query<{ name: string }>(statement, [tenantId])).rows.map(({ name }) => name)
  return { connections: await namesOf(WITH_PASSKEYS), factors: await namesOf(FACTORS) }
}

const CLIENT_RECORDS = `SELECT client_id AS "clientId", name, NULL AS "secretDigest", settings::jsonb AS settings,
  registration_digest IS NOT NULL AS "isRegistered"
FROM client WHERE tenant_id = $1 ORDER BY name`

export const readClientRecords = async (pool: Pool, tenantId: string): Promise<ClientRecord[]> =>
  (await pool.query<ClientRecord>(CLIENT_RECORDS, [tenantId])).rows

/** A client with its callbacks. */
export type ClientFacts = { clientId: string; name: string; native: boolean; urls: readonly string[] }

const CLIENTS = `SELECT client_id AS "clientId", name, coalesce(settings->>'app_type' = 'native', false) AS native,
  ARRAY(SELECT jsonb_array_elements_text(coalesce(settings::jsonb->'callbacks', '[]'))) AS urls
FROM client WHERE tenant_id = $1 ORDER BY name`

export const readClients = async (pool: Pool, tenantId: string): Promise<ClientFacts[]> =>
  (await pool.query<ClientFacts>(CLIENTS, [tenantId])).rows

/** A package in the bundle of a deployed action, or of the scripts of a tenant. */
export type PackageUse = { tenantId: string; action: string; name: string; version: string }

const IN_USE = `SELECT action.tenant_id AS "tenantId", action.name AS action, used.name, used.version, used.integrity
FROM action JOIN action_bundle ON action_bundle.tenant_id = action.tenant_id AND digest = settings->>'bundle',
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
UNION ALL
SELECT b.tenant_id, 'scripts', used.name, used.version, used.integrity
FROM script_build b JOIN action_bundle ON action_bundle.tenant_id = b.tenant_id AND digest = b.bundle,
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
ORDER BY 1, 2, 3, 4`

export const readPackages = async (pool: Pool): Promise<(PackageUse & { integrity: string })[]> =>
  (await pool.query<PackageUse & { integrity: string }>(IN_USE)).rows

const SCRIPTED = `SELECT tenant_id AS "tenantId", name, settings FROM connection
WHERE settings->'options' ? 'customScripts' OR settings->'options' ? 'scripts'`

export const readScripted = async (pool: Pool): Promise<{ tenantId: string; name: string; settings: unknown }[]> =>
  (await pool.query(SCRIPTED)).rows

const DOCUMENTS = `SELECT tenant_id AS "tenantId", jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'body', body)) AS documents
FROM document WHERE kind IN ('rule', 'hook') GROUP BY 1`

type TenantDocuments = { tenantId: string; documents: Parameters<typeof needsOfDocuments>[0] }

export const readCodeDocuments = async (pool: Pool): Promise<TenantDocuments[]> =>
  (await pool.query<TenantDocuments>(DOCUMENTS)).rows

/** Without a bundle and a failure it is under way. */
export type ScriptBuildRow = { tenantId: string; need: Need; bundle: string | null; failure: string | null }

const BUILDS = 'SELECT tenant_id AS "tenantId", need, bundle, failure FROM script_build ORDER BY created_at DESC, key'

export const readBuilds = async (pool: Pool): Promise<ScriptBuildRow[]> =>
  (await pool.query<ScriptBuildRow>(BUILDS)).rows
