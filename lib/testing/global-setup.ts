// Once per vitest run: a throw-away PostgreSQL with the migrated template that `testDatabase()` copies.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../kernel/clock'
import { systemRandom } from '../kernel/random'
import { startEmbedded } from '../store/embedded'
import { migrate } from '../store/migrate'
import { databaseUrl, TEMPLATE } from './database'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
  await chmod(dataDir, 0o711)
  const embedded = await startEmbedded({ dataDir, clock: systemClock, random: systemRandom, durable: false })
  await makeTemplate(embedded.url)
  project.provide('clusterUrl', embedded.url)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  const admin = new Pool({ connectionString: clusterUrl, max: 1 })
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  await admin.end()
  const pool = new Pool({ connectionString: databaseUrl(clusterUrl, TEMPLATE), max: 1 })
  await migrate(pool, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)), { random: systemRandom })
  await pool.end()
}
