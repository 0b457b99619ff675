import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { type Embedded, startEmbedded } from './embedded'
import { EmbeddedError } from './error'
import { handOver } from './ownership'
import { findPostmaster } from './postmaster'

// Creating a cluster takes seconds, and longer on a busy machine. Tests that are not about it start with a copy of one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let madeDir: string
let dataDir: string
let running: Embedded[]

beforeAll(async () => {
  running = []
  madeDir = await makeFolder()
  await stop(await start(madeDir))
})

afterAll(() => rm(madeDir, { recursive: true }))

beforeEach(async () => {
  running = []
  dataDir = await makeFolder()
})

afterEach(async () => {
  for (const embedded of running) await embedded.stop()
  await rm(dataDir, { recursive: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-embedded-'))
  await chmod(folder, 0o711)
  return folder
}

/** A stopped database in the data folder. Node's own copy would not keep the owner. */
const copyMade = (): Buffer => execFileSync('cp', ['-a', join(madeDir, 'postgres'), dataDir])

async function start(folder = dataDir, durable = false): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir: folder, clock: systemClock, random: systemRandom, durable })
  running.push(embedded)
  return embedded
}

async function stop(embedded: Embedded): Promise<void> {
  running.splice(running.indexOf(embedded), 1)
  await embedded.stop()
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const data = (folder = dataDir) => join(folder, 'postgres', 'data')
const postmaster = (folder = dataDir) => findPostmaster(data(folder))
const pidFile = () => join(data(), 'postmaster.pid')

describe('the embedded database', () => {
  it('starts from nothing, keeps its rows over a restart and leaves nothing running', async () => {
    const first = await start()
    expect(first.reused).toBe(false)
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value')
    await stop(first)
    expect(await postmaster()).toBeUndefined()
    const second = await start()
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }])
  })

  it('is shared by processes that start it again, and stops with the last', async () => {
    const [first, second] = await Promise.all([start(), start()])
    expect([first.reused, second.reused].filter(Boolean)).toHaveLength(1)
    await stop(first)
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await stop(second)
    expect(await postmaster()).toBeUndefined()
  })

  it('is started by one of several that begin at the same moment, whichever was ahead', async () => {
    copyMade()
    for (let round = 0; round < 3; round++) {
      const all = await Promise.all([start(), start(), start()])
      expect(all.map(({ reused }) => reused).sort()).toEqual([false, true, true])
      await Promise.all(all.map(stop))
      expect(await postmaster()).toBeUndefined()
    }
  })

  it('waits for one that is stopping, then starts anew', async () => {
    copyMade()
    const first = await start()
    const [, second] = await Promise.all([stop(first), start()])
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('refuses connections without the password, and access by other users', async () => {
    copyMade()
    const { url } = await start()
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  it('keeps fsync on unless the data is declared temporary', async () => {
    copyMade()
    const embedded = await start(dataDir, true)
    expect(await query(embedded.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(embedded.url, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
  })

  it('recovers what was committed after kill -9 of PostgreSQL', async () => {
    copyMade()
    const first = await start(dataDir, true)
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value')
    const found = await postmaster()
    process.kill(found?.pid ?? 0, 'SIGKILL')
    running = []
    const second = await start(dataDir, true)
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }])
  })

  it('is found again after kill -9 of the process that started it', async () => {
    copyMade()
    await startInAnotherProcessAndKillIt()
    expect(await postmaster()).toBeDefined()
    const embedded = await start()
    expect(embedded.reused).toBe(true)
    await stop(embedded)
    expect(await postmaster()).toBeUndefined()
  })

  it('begins anew beside what a killed first start left behind, and sweeps it up later', async () => {
    await mkdir(join(dataDir, 'postgres.new-0badcafe', 'data'), { recursive: true })
    const ahead = { now: () => new Date(systemClock.now().getTime() + 3_600_000) }
    const embedded = await startEmbedded({ dataDir, clock: ahead, random: systemRandom, durable: false })
    running.push(embedded)
    expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  it('explains a half-written data folder and leaves it as it is', async () => {
    copyMade()
    await rm(join(data(), 'PG_VERSION'))
    await expect(start()).rejects.toThrow(/is incomplete \(data\/PG_VERSION is missing\): restore it/)
    expect(await readdir(data())).toContain('base')
  })

  it('explains data of another PostgreSQL', async () => {
    copyMade()
    await writeFile(join(data(), 'PG_VERSION'), '16\n')
    await expect(start()).rejects.toThrow(/belongs to PostgreSQL 16/)
  })

  it('explains a password that no longer fits', async () => {
    copyMade()
    await writeFile(join(dataDir, 'postgres', 'password'), 'another\n')
    await expect(start()).rejects.toThrow(/password kept in .* is not the database's/)
    process.kill((await postmaster())?.pid ?? 0, 'SIGQUIT')
    while (await postmaster()) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  it('says in one sentence why PostgreSQL does not start', async () => {
    copyMade()
    await writeFile(join(data(), 'postgresql.conf'), 'nonsense = on\n')
    const refusal = await start().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(EmbeddedError)
    expect(String(refusal)).toMatch(/does not start \(.*\): see postgres.log/)
  })

  it('is not fooled by a process number that now belongs to another program', async () => {
    copyMade()
    await writeFile(pidFile(), `${process.pid}\n/x\n0\n5432\n/x\n\n 1 2\nready\n`)
    const embedded = await start()
    expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('begins over a pid file that a crash left empty', async () => {
    copyMade()
    await writeFile(pidFile(), '')
    const before = systemClock.now().getTime() / 1000 - 60
    await utimes(pidFile(), before, before)
    const embedded = await start()
    expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('leaves alone a pid file that another start has just made, and looks again', async () => {
    copyMade()
    await writeFile(pidFile(), '')
    const starting = start()
    await vi.waitFor(async () => {
      const log = await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8')
      expect(log).toContain('lock file "postmaster.pid" is empty')
    }, 30_000)
    expect(await readFile(pidFile(), 'utf8')).toBe('')
    await rm(pidFile())
    expect(await query((await starting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('copes with a path too long for a socket address', async () => {
    const folder = join(dataDir, 'x'.repeat(90))
    const embedded = await start(folder)
    expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await stop(embedded)
    expect(await postmaster(folder)).toBeUndefined()
  })
})

describe.runIf(process.getuid?.() === 0)('started as root', () => {
  const UNPRIVILEGED = { uid: 65534, gid: 65534 }
  const ownerOf = async (folder: string) => (await stat(folder)).uid

  /** Runs a command as the account `nobody`, as another service on the machine may. */
  function asUnprivileged(command: string, ...args: string[]): string {
    const { stdout, stderr } = spawnSync(command, args, { ...UNPRIVILEGED, encoding: 'utf8' })
    return stdout + stderr
  }

  it('shows a service that runs as `nobody` neither password nor data, and lets it reach neither socket nor process', async () => {
    await chmod(dataDir, 0o755)
    await start()
    const pid = (await postmaster())?.pid ?? 0
    expect(asUnprivileged('ls', dataDir)).toBe('postgres\n')
    for (const file of ['postgres/password', 'postgres/data/PG_VERSION', 'postgres/postgres.log'])
      expect(asUnprivileged('cat', join(dataDir, file))).toMatch(/Permission denied/)
    const socket = JSON.stringify(join(dataDir, 'postgres', '.s.PGSQL.5432'))
    const knock = `require('net').connect(${socket}).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))`
    expect(asUnprivileged(process.execPath, '-e', knock)).toBe('EACCES\n')
    expect(asUnprivileged('kill', '-0', String(pid))).toMatch(/not permitted/i)
    expect(await ownerOf(join(dataDir, 'postgres', 'password'))).toBe(0)
  })

  it('shows it nothing while the database is being made either', async () => {
    await chmod(dataDir, 0o755)
    const look = 'while :; do ls -d "$1"/postgres*; cat "$1"/postgres*/password "$1"/postgres*/data/*; done 2>&1'
    const watcher = spawn('sh', ['-c', look, 'sh', dataDir], { ...UNPRIVILEGED, stdio: ['ignore', 'pipe', 'ignore'] })
    let seen = ''
    watcher.stdout.on('data', (chunk: Buffer) => {
      seen += chunk
    })
    await start()
    watcher.kill('SIGKILL')
    await once(watcher, 'close')
    const lines = seen.split('\n').filter((line) => line !== '')
    expect(lines.some((line) => /postgres\.new-\w+$/.test(line))).toBe(true)
    expect(lines.filter((line) => !/^\/.*\/postgres(\.new-\w+)?$|Permission denied|No such file/.test(line))).toEqual(
      [],
    )
  })

  it('takes data of an earlier release, which belongs to `nobody`, from it', async () => {
    copyMade()
    await handOver(join(dataDir, 'postgres'), UNPRIVILEGED)
    const { url } = await start()
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await ownerOf(data())).toBe(await ownerOf(join(data(), 'PG_VERSION')))
    expect([0, UNPRIVILEGED.uid]).not.toContain(await ownerOf(data()))
  })

  it('says in one sentence that the disk is full, and leaves nothing', async () => {
    await onDisk('size=12m,mode=0711', async (folder) => {
      await expect(start(folder)).rejects.toThrow(
        `The disk that holds ${folder} is full: free some space and start again.`,
      )
      expect(await readdir(folder)).toEqual([])
    })
  })

  it('says in one sentence that the folder cannot be written', async () => {
    await onDisk('ro,mode=0711', async (folder) => {
      await expect(start(folder)).rejects.toThrow(
        `The data folder ${folder} cannot be written (EROFS): give this account the right to it`,
      )
    })
  })

  async function onDisk(options: string, work: (folder: string) => Promise<void>): Promise<void> {
    const folder = join(dataDir, 'disk')
    await mkdir(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
    try {
      await work(folder)
    } finally {
      execFileSync('umount', [folder])
    }
  }

  it('runs as an account without power', async () => {
    const { url } = await start()
    const pid = (await postmaster())?.pid
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m)
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('puts the data where that account can go when the folder is closed to it, and finds it there again', async () => {
    await chmod(dataDir, 0o700)
    const first = await start()
    expect(first.home).toMatch(/^\/var\/lib\/latchkey\/data-/)
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value')
    await stop(first)
    const second = await start()
    expect(second.home).toBe(first.home)
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }])
    await stop(second)
    await rm(first.home, { recursive: true })
  })
})

/** Uses a real process: only the kernel can end one without a chance to clean up. */
async function startInAnotherProcessAndKillIt(): Promise<void> {
  const source = `
    import { systemClock } from './lib/kernel/clock'
    import { systemRandom } from './lib/kernel/random'
    import { startEmbedded } from './lib/adapters/embedded-postgres/embedded'
    await startEmbedded({ dataDir: process.argv[2], clock: systemClock, random: systemRandom, durable: false })
    console.log('started')`
  const bundle = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
  })
  const child = spawn(process.execPath, ['--input-type=module', '-', dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(bundle.outputFiles[0]?.text)
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}
