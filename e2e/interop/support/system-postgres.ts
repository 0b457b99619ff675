// The PostgreSQL of a Debian package (installed by .ci/run) as an operator runs it: a cluster of the test's own, with the
// programs that the embedded one lacks.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../lib/testing/free-port.mjs'
import { scratchFolder } from '../../../lib/testing/scratch.mjs'

const PACKAGES = '/usr/lib/postgresql'
const PATIENCE_MS = 30_000

export type SystemPostgres = {
  /** As the account `latchkey`, which owns what is made with `createdb --owner=latchkey`. */
  url(database: string): string
  /** `pg_dump`, `createdb`, `pg_restore`, run against the cluster by its superuser. */
  run(program: string, ...args: string[]): Buffer
  stop(): Promise<void>
}

const binaries = (): string | undefined =>
  existsSync(PACKAGES)
    ? readdirSync(PACKAGES)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(PACKAGES, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'postgres')))
    : undefined

export const hasSystemPostgres = (): boolean => binaries() !== undefined

export async function startSystemPostgres(): Promise<SystemPostgres> {
  const bin = binaries()
  if (bin === undefined) throw new Error(`no PostgreSQL in ${PACKAGES}`)
  const account = unprivileged()
  const data = await mkdtemp(join(scratchFolder(), 'latchkey-postgres-'))
  if (account.uid !== undefined) await chown(data, account.uid, account.gid)
  const port = await freePort()
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...account,
    stdio: 'ignore',
  })
  const listening = ['-c', 'listen_addresses=127.0.0.1', '-k', data, '-p', String(port), '-c', 'fsync=off']
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...listening], { ...account, stdio: 'ignore' })
  const run = (program: string, ...args: string[]): Buffer =>
    execFileSync(join(bin, program), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args], {
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  await untilAnswering(() => run('pg_isready'))
  run('createuser', 'latchkey')
  return {
    url: (database) => `postgresql://latchkey@127.0.0.1:${port}/${database}`,
    run,
    async stop() {
      await end(child)
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number; cwd: string } | { uid?: never; gid?: never; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: tmpdir() }
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g'), cwd: tmpdir() }
}

async function untilAnswering(ask: () => unknown): Promise<void> {
  for (let waited = 0; ; waited += 100) {
    try {
      ask()
      return
    } catch (error) {
      if (waited > PATIENCE_MS) throw error
      await sleep(100)
    }
  }
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((ended) => {
    child.once('exit', () => ended())
    child.kill('SIGINT')
  })
}
