// The PostgreSQL cluster of both servers, with a database for each: the embedded one, started as the product does, in a folder
// of this run; or the one in BENCH_DATABASE_URL (as a superuser, on this machine).
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { loadSources } from './load-sources.mjs'
import { parentOf } from './proc.mjs'

const ENTRY = `
export { startEmbedded } from './lib/adapters/embedded-postgres/embedded'
export { systemClock as clock } from './lib/kernel/clock'
export { systemRandom as random } from './lib/kernel/random'`

/** Starts and stops the product's embedded database in one folder. */
export async function embeddedIn(root, folder, dataDir = join(folder, 'cluster')) {
  const { startEmbedded, clock, random } = await loadSources(root, folder, 'embedded', ENTRY)
  return { start: () => startEmbedded({ dataDir, clock, random }) }
}

async function startEmbedded(root, folder) {
  const { url, home, stop } = await (await embeddedIn(root, folder)).start()
  return {
    url,
    async stop() {
      await stop()
      await rm(home, { recursive: true, force: true }) // not always below the folder of this run
    },
  }
}

function withDatabase(url, name) {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

export async function startCluster(root, folder) {
  const given = process.env.BENCH_DATABASE_URL
  const { url, stop } = given ? { url: given, stop: async () => undefined } : await startEmbedded(root, folder)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const { rows } = await admin.query('SELECT pg_backend_pid() AS pid, version()')
  const names = []
  return {
    version: rows[0].version.split(' ').slice(0, 2).join(' '),
    /** Every backend and every background writer is a child of this process: its process tree is the whole cluster. */
    postmaster: parentOf(rows[0].pid),
    async createDatabase(name) {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.query(`CREATE DATABASE ${name}`)
      names.push(name)
      return withDatabase(url, name)
    },
    async stop() {
      for (const name of names) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
      await stop()
    },
  }
}
