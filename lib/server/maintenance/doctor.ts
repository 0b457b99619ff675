// Collects the doctor's facts: from this process, its database, Redis, the mail server, and the server's own public address. A
// source that cannot be read becomes a finding; nothing here throws, and nothing is changed.
import type { Pool } from 'pg'
import { askOwnAddress } from '../../adapters/channels/own-address'
import type { Database } from '../../adapters/store/database'
import { type DatabaseShape, SHAPE, shapeProblem } from '../../adapters/store/database-shape'
import { pendingMigrations } from '../../adapters/store/migrate'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import type { RedisClient } from '../../adapters/store/redis/client'
import { evictionPolicyOf } from '../../adapters/store/redis/eviction-policy'
import { findCollisions } from '../../adapters/store/sql/address-forms'
import { connectionStore } from '../../adapters/store/sql/configuration'
import { stateOf } from '../../crypto/keys/keyring'
import { type ClientRecord, signsUsersIn, toClient } from '../../data/clients/client'
import { isEnabledFor } from '../../data/connections/connection'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { canUsePasskeys } from '../../identity/passkeys/relying-party'
import type { Clock } from '../../kernel/clock'
import { type Env, isLocal } from '../../settings/env'
import { type Arrival, type Finding, ill } from '../doctor/finding'
import {
  type ClientFacts,
  judgeAddress,
  judgeAddresses,
  judgeArrival,
  judgeClients,
  judgeClock,
  judgeConnections,
  judgeDatabase,
  judgeDelivering,
  judgeKeys,
  judgeMail,
  judgeOutbound,
  judgePasskeys,
  judgePlaces,
  judgeRedis,
} from '../doctor/judge'
import { findDelivering } from './delivering'
import { openPlaces } from './geoip'
import { readOutbox } from './metrics'

export type Examined = {
  env: Env
  migrations: string
  db: Database
  clock: Clock
  /** Undefined where Redis is not used. */
  redis: RedisClient | undefined
  /** What to do about an error of the database, where that is known. */
  explain?: (error: unknown) => string | undefined
}

/** `arrival` describes the request that called the doctor, where there is one. */
export async function examine(examined: Examined, arrival?: Arrival): Promise<Finding[]> {
  const { env } = examined
  const parts = [
    examineAddress(examined),
    ...(arrival ? [Promise.resolve(judgeArrival(env.appUrl, arrival, env.forwardingHeader))] : []),
    examineDatabase(examined),
    examineRedis(examined),
    examineMail(examined),
    Promise.resolve(judgeOutbound(env.outboundProxy)),
    examineDelivering(examined),
    examinePlaces(examined),
    examineKeys(examined),
    examinePasskeys(examined),
    examineClients(examined),
    examineConnections(examined),
    examineAddresses(examined),
  ]
  return (await Promise.all(parts)).flat()
}

async function examineAddress({ env, clock }: Examined): Promise<Finding[]> {
  return judgeAddress(env.appUrl, isLocal(env.appUrl), await askOwnAddress(env.appUrl), clock.now())
}

const FACTS = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('max_connections')::int AS "maxConnections", current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites", now() AS now`

async function examineDatabase({ env, migrations, db: { pool }, clock, explain }: Examined): Promise<Finding[]> {
  return orIll(
    'database',
    async () => {
      await pool.query('SELECT 1')
      const began = performance.now()
      await pool.query('SELECT 1')
      const roundTripMs = performance.now() - began
      const { rows } = await pool.query(FACTS)
      const { now, ...facts } = rows[0]
      const shape = await pool.query<DatabaseShape>(SHAPE)
      const unusable = shape.rows[0] ? shapeProblem(shape.rows[0]) : null
      const missingMigrations = await pendingMigrations(pool, migrations)
      return [
        ...judgeDatabase({ ...facts, unusable, poolSize: env.databasePoolSize, missingMigrations, roundTripMs }),
        judgeClock(clock.now(), now),
      ]
    },
    explain,
  )
}

const examineRedis = async ({ redis }: Examined): Promise<Finding[]> => [
  judgeRedis(redis !== undefined, redis?.state(), redis ? await evictionPolicyOf(redis) : null),
]

async function examineMail({ env, db, clock }: Examined): Promise<Finding[]> {
  const { oldestSeconds } = await readOutbox(db.pool, clock).catch(() => ({ oldestSeconds: 0 }))
  const failure = env.smtp ? await (await import('../../adapters/channels/email')).tryMailServer(env.smtp) : null
  return judgeMail({ configured: env.smtp !== undefined, failure, outbox: env.devOutbox, oldestSeconds })
}

const examineDelivering = ({ db: { pool } }: Examined): Promise<Finding[]> =>
  orIll('messages', async () => judgeDelivering(await findDelivering(pool)))

async function examinePlaces({ env: { geoipFile } }: Examined): Promise<Finding[]> {
  if (geoipFile === undefined) return []
  const failure = await openPlaces(geoipFile).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  return judgePlaces(failure)
}

async function examineKeys({ db, clock }: Examined): Promise<Finding[]> {
  return orIll('keys', async () => {
    const now = clock.now()
    const keys = await signingKeyStore(db, FIRST_TENANT).list()
    return judgeKeys(
      keys.map((key) => ({
        algorithm: key.algorithm,
        kid: key.kid,
        createdAt: key.createdAt,
        state: stateOf(key, now),
      })),
      now,
    )
  })
}

const FACTORS = `SELECT jsonb_path_query(settings::jsonb, '$.guardianFactors[*] ? (@.enabled == true).name') #>> '{}' AS name
FROM tenant WHERE id = $1`

const WITH_PASSKEYS = `SELECT name FROM connection WHERE tenant_id = $1
  AND settings::jsonb @> '{"options": {"authentication_methods": {"passkey": {"enabled": true}}}}' ORDER BY name`

async function examinePasskeys({ env, db: { pool } }: Examined): Promise<Finding[]> {
  return orIll('passkeys', async () => {
    const namesOf = async (statement: string): Promise<string[]> =>
      (await pool.query<{ name: string }>(statement, [FIRST_TENANT])).rows.map(({ name }) => name)
    const usable = canUsePasskeys({ baseUrl: env.appUrl })
    return judgePasskeys(env.appUrl, {
      usable,
      connections: await namesOf(WITH_PASSKEYS),
      factors: await namesOf(FACTORS),
    })
  })
}

async function examineClients({ env, db }: Examined): Promise<Finding[]> {
  return orIll('redirect URIs', async () => judgeClients(await readClients(db.pool), isLocal(env.appUrl)))
}

async function examineConnections({ db, clock }: Examined): Promise<Finding[]> {
  return orIll('applications', async () => {
    const connections = await connectionStore(db, FIRST_TENANT, clock).all()
    const { rows } = await db.pool.query<ClientRecord>(CLIENT_RECORDS, [FIRST_TENANT])
    const clients = rows.map(toClient).filter(signsUsersIn)
    return judgeConnections(clients.filter((client) => !connections.some((each) => isEnabledFor(each, client))))
  })
}

const CLIENT_RECORDS = `SELECT client_id AS "clientId", name, NULL AS "secretDigest", settings::jsonb AS settings,
  registration_digest IS NOT NULL AS "isRegistered"
FROM client WHERE tenant_id = $1 ORDER BY name`

const examineAddresses = ({ db: { pool } }: Examined): Promise<Finding[]> =>
  orIll('addresses', async () => judgeAddresses(await findCollisions(pool)))

const CLIENTS = `SELECT client_id AS "clientId", name, coalesce(settings->>'app_type' = 'native', false) AS native,
  ARRAY(SELECT jsonb_array_elements_text(coalesce(settings::jsonb->'callbacks', '[]'))) AS urls
FROM client WHERE tenant_id = $1 ORDER BY name`

const readClients = async (pool: Pool): Promise<ClientFacts[]> =>
  (await pool.query<ClientFacts>(CLIENTS, [FIRST_TENANT])).rows

const orIll = (
  about: string,
  look: () => Promise<Finding[]>,
  explain: Examined['explain'] = () => undefined,
): Promise<Finding[]> =>
  look().catch((error: unknown) => [ill(about, explain(error) ?? `The check failed (${inWords(error)}).`)])

/** The error of several failed addresses (AggregateError) has no message. */
const inWords = (error: unknown): string =>
  error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
