// Runs once per vitest run: a throw-away PostgreSQL with the templates that `testDatabase()` copies. One is migrated; the other
// also contains the first tenant and its keys, because generating RSA keys for every test file would take most of the run. The
// threads that read XML are bundled anew.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../adapters/embedded-postgres/embedded'
import { migrate } from '../adapters/store/migrate'
import { createDatabase } from '../adapters/store/prisma/client'
import { fixedClock, systemClock } from '../kernel/clock'
import { systemRandom } from '../kernel/random'
import { createVault } from '../kernel/secret'
import { writeExplorer } from '../server/node/explorer.mjs'
import { writePlatform } from '../server/node/platform.mjs'
import { writeXmlThread } from '../server/node/xml-thread.mjs'
import { bootstrapTenants } from '../server/runtime/tenant-registry'
import { BASE_URL, BOOTSTRAPPED_TEMPLATE, databaseUrl, TEMPLATE, TEST_SECRET } from './database'
import { scratchFolder } from './scratch.mjs'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(scratchFolder(), 'latchkey-test-'))
  await chmod(dataDir, 0o711)
  const embedded = await startEmbedded({ dataDir, clock: systemClock, random: systemRandom, durable: false })
  await makeTemplate(embedded.url)
  await makeBootstrappedTemplate(embedded.url)
  await Promise.all([writeXmlThread(), writePlatform(), writeExplorer()])
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

async function makeBootstrappedTemplate(clusterUrl: string): Promise<void> {
  const admin = new Pool({ connectionString: clusterUrl, max: 1 })
  await admin.query(`CREATE DATABASE ${BOOTSTRAPPED_TEMPLATE} TEMPLATE ${TEMPLATE}`)
  await admin.end()
  const pool = new Pool({ connectionString: databaseUrl(clusterUrl, BOOTSTRAPPED_TEMPLATE), max: 1 })
  const db = createDatabase(pool)
  const vault = createVault(TEST_SECRET)
  await bootstrapTenants({ db, clock: fixedClock(), random: systemRandom, vault, baseUrl: BASE_URL })
  await (await db.prisma()).$disconnect()
  await pool.end()
}
