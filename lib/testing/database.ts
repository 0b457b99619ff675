// A separate database for each test file: a copy of the migrated template from the global setup.
import { Client, Pool } from 'pg'
import { inject, type Mock, vi } from 'vitest'
import { systemRandom } from '../kernel/random'

export type TestDatabase = {
  url: string
  pool: Pool
  /** Closes the pool and removes the database. */
  drop(): Promise<void>
}

export const TEMPLATE = 'latchkey_template'
export const BOOTSTRAPPED_TEMPLATE = 'latchkey_furnished'
/** The settings of the bootstrapped template. */
export const BASE_URL = 'https://id.test'
export const TEST_SECRET = 'a secret of at least thirty-two characters'

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string
  }
}

/**
 * A migrated, empty database. `empty: true` creates one without tables, `bootstrapped: true` one with the first tenant and its
 * keys.
 */
export async function testDatabase(options: { empty?: boolean; bootstrapped?: boolean } = {}): Promise<TestDatabase> {
  // Without durability a copy of the files takes half of the time of a copy through the write-ahead log.
  const name = `test_${systemRandom.hex(12)}`
  const template = options.empty ? 'template0' : options.bootstrapped ? BOOTSTRAPPED_TEMPLATE : TEMPLATE
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`))
  const url = databaseUrl(inject('clusterUrl'), name)
  const pool = new Pool({ connectionString: url, max: 25 })
  // A connection may get an error about the removal of its database before or after the pool releases it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const drop = async (): Promise<void> => {
    await pool.end()
    await asSuperuser((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  }
  return { url, pool, drop }
}

/**
 * Until the mock is restored the pool returns no connection: it fails with `error` (for callbacks and promises), or never
 * answers.
 */
export const cutOff = (pool: Pool, error?: Error): Mock =>
  vi.spyOn(pool, 'connect').mockImplementation(((callback?: (error: Error) => void) => {
    if (!error) return new Promise<never>(() => {})
    return callback ? callback(error) : Promise.reject(error)
  }) as Pool['connect'])

/** The same server with another database. */
export function databaseUrl(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.href
}

async function asSuperuser(run: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: inject('clusterUrl') })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
