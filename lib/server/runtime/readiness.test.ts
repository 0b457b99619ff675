// /readyz with a real PostgreSQL that answers reads and refuses writes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Embedded, startEmbedded } from '../../adapters/embedded-postgres/embedded'
import { probeWrite } from '../../adapters/store/write-probe'
import { fixedClock, systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { type LogLine, recordingLog, type TestServer, testServer } from '../../testing/server'
import { createOutages } from '../maintenance/outages'
import { createReadiness } from './readiness'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('readiness', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  function watching(pool: Pool) {
    const lines: LogLine[] = []
    const clock = fixedClock()
    const readiness = createReadiness({
      pool,
      migrations: 'prisma/migrations',
      registry: { runtimeFor: () => server.runtime(), runtimeOf: async () => null },
      redis: undefined,
      clock,
      outages: createOutages({ clock, log: recordingLog(lines) }),
    })
    return { lines, clock, readiness }
  }

  it('is there with database, writes, migrations and keys', async () => {
    const { lines, readiness } = watching(server.database.pool)
    const checks = { database: 'ok', writes: 'ok', migrations: 'ok', keys: 'ok' }
    expect(await readiness()).toEqual({ ready: true, checks })
    expect(lines).toEqual([])
  })

  it('is not there while PostgreSQL is read-only, and says why', async () => {
    const options = '-c default_transaction_read_only=on'
    const pool = new Pool({ connectionString: server.database.url, options })
    const { lines, readiness } = watching(pool)
    const { ready, checks } = await readiness()
    await pool.end()
    expect({ ready, checks }).toEqual({ ready: false, checks: { ...checks, database: 'ok', writes: 'failed' } })
    expect(lines).toMatchObject([{ level: 'warn', fields: { check: 'writes', err: { code: '25006' } } }])
  })

  it('sees at once that writes are accepted again', async () => {
    const { pool } = server.database
    const { readiness } = watching(pool)
    const failing = vi.spyOn(pool, 'query').mockRejectedValue(new Error('the database is away') as never)
    expect((await readiness()).ready).toBe(false)
    failing.mockRestore()
    expect((await readiness()).ready).toBe(true)
  })

  it('probes writes once a second, however often it is requested', async () => {
    const { pool } = server.database
    const { clock, readiness } = watching(pool)
    const query = vi.spyOn(pool, 'query')
    const probes = () => query.mock.calls.filter((call) => JSON.stringify(call).includes('emit_message')).length
    await Promise.all([readiness(), readiness(), readiness()])
    await readiness()
    expect(probes()).toBe(1)
    clock.advance(1)
    await readiness()
    expect(probes()).toBe(2)
    query.mockRestore()
  })
})

describe('a probe of writes', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.drop())

  it('needs no right but to connect, and leaves nothing', async () => {
    const role = `reader_${systemRandom.hex(8)}`
    await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`)
    const url = new URL(database.url)
    Object.assign(url, { username: role, password: 'reader' })
    const pool = new Pool({ connectionString: url.href, max: 1 })
    await probeWrite(pool)
    const { rows } = await pool.query(`SELECT current_setting('work_mem') <> '64kB' AS kept,
      (SELECT count(*)::int FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`)
    await pool.end()
    await database.pool.query(`DROP ROLE ${role}`)
    expect(rows).toEqual([{ kept: true, tables: 0 }])
  })
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('on a separate disk', () => {
  let folder: string
  let embedded: Embedded
  let pool: Pool

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-small-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m,mode=0711', 'tmpfs', folder])
    embedded = await startEmbedded({ dataDir: folder, clock: systemClock, random: systemRandom, durable: false })
    pool = new Pool({ connectionString: embedded.url })
    // The database may stop while a connection is still closing: the pool reports it, or the connection does.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
  })
  afterAll(async () => {
    await pool?.end()
    await embedded?.stop()
    // A process of the database may hold its folder for a moment after the database has stopped.
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  })

  it('fails while the disk is full, and passes once there is room again', async () => {
    await probeWrite(pool)
    const filler = join(folder, 'filler')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
    await expect(probeWrite(pool)).rejects.toMatchObject({ code: '53100' })
    rmSync(filler)
    await probeWrite(pool)
  })
})
