// Collects the doctor's facts: from this process, its database, Redis, the mail server, and the server's own public address. A
// source that cannot be read becomes a finding; nothing here throws, and nothing is changed.
import { askOwnAddress } from '../../adapters/channels/own-address'
import type { Database } from '../../adapters/store/database'
import { type DatabaseShape, SHAPE, shapeProblem } from '../../adapters/store/database-shape'
import { pendingMigrations } from '../../adapters/store/migrate'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import type { RedisClient } from '../../adapters/store/redis/client'
import { evictionPolicyOf } from '../../adapters/store/redis/eviction-policy'
import { findCollisions } from '../../adapters/store/sql/address-forms'
import { connectionStore } from '../../adapters/store/sql/configuration'
import {
  countWithoutMail,
  findDelivering,
  readClientRecords,
  readClients,
  readPasskeyFacts,
  readServerFacts,
} from '../../adapters/store/sql/doctor-facts'
import { readOutbox } from '../../adapters/store/sql/waiting-messages'
import { stateOf } from '../../crypto/keys/keyring'
import { signsUsersIn, toClient } from '../../data/clients/client'
import { isEnabledFor } from '../../data/connections/connection'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { canUsePasskeys } from '../../identity/passkeys/relying-party'
import type { Clock } from '../../kernel/clock'
import { type Env, isLocal } from '../../settings/env'
import { type Arrival, type Finding, ill } from '../doctor/finding'
import {
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
import { openPlaces } from './geoip'

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

async function examineDatabase({ env, migrations, db: { pool }, clock, explain }: Examined): Promise<Finding[]> {
  return orIll(
    'database',
    async () => {
      const roundTripMs = await roundTripOf(pool)
      const { now, ...facts } = await readServerFacts(pool)
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

/** The quickest of a few, in milliseconds: a single one also measures what else this process does. */
async function roundTripOf(pool: Database['pool']): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now()
    await pool.query('SELECT 1')
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

const examineRedis = async ({ redis }: Examined): Promise<Finding[]> => [
  judgeRedis(redis !== undefined, redis?.state(), redis ? await evictionPolicyOf(redis) : null),
]

async function examineMail({ env, db, clock }: Examined): Promise<Finding[]> {
  const { oldestSeconds } = await readOutbox(db.pool, clock).catch(() => ({ oldestSeconds: 0 }))
  const failure = env.smtp ? await (await import('../../adapters/channels/email')).tryMailServer(env.smtp) : null
  const without = env.smtp ? 0 : await countWithoutMail(db.pool).catch(() => 1)
  return judgeMail({ configured: env.smtp !== undefined, without, failure, outbox: env.devOutbox, oldestSeconds })
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

async function examinePasskeys({ env, db: { pool } }: Examined): Promise<Finding[]> {
  return orIll('passkeys', async () => {
    const usable = canUsePasskeys({ baseUrl: env.appUrl })
    return judgePasskeys(env.appUrl, { usable, ...(await readPasskeyFacts(pool, FIRST_TENANT)) })
  })
}

async function examineClients({ env, db }: Examined): Promise<Finding[]> {
  return orIll('redirect URIs', async () => judgeClients(await readClients(db.pool, FIRST_TENANT), isLocal(env.appUrl)))
}

async function examineConnections({ db, clock }: Examined): Promise<Finding[]> {
  return orIll('applications', async () => {
    const connections = await connectionStore(db, FIRST_TENANT, clock).all()
    const clients = (await readClientRecords(db.pool, FIRST_TENANT)).map(toClient).filter(signsUsersIn)
    return judgeConnections(clients.filter((client) => !connections.some((each) => isEnabledFor(each, client))))
  })
}

const examineAddresses = ({ db: { pool } }: Examined): Promise<Finding[]> =>
  orIll('addresses', async () => judgeAddresses(await findCollisions(pool)))

const orIll = (
  about: string,
  look: () => Promise<Finding[]>,
  explain: Examined['explain'] = () => undefined,
): Promise<Finding[]> =>
  look().catch((error: unknown) => [ill(about, explain(error) ?? `The check failed (${inWords(error)}).`)])

/** The error of several failed addresses (AggregateError) has no message. */
const inWords = (error: unknown): string =>
  error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
