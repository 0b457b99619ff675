// A PgBouncer in transaction mode in front of a test's PostgreSQL, where Debian's package is installed (.ci/run installs it). It
// has few server connections, so the statements of one client run on several.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './free-port.mjs'
import { hasTool } from './tools'
import { throughPort } from './wire'

export type TestBouncer = { url: string; close(): Promise<void> }

export const hasPgBouncer = (): boolean => hasTool('pgbouncer')

export async function testBouncer(databaseUrl: string): Promise<TestBouncer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration(new URL(databaseUrl), port))
  chmodSync(folder, 0o755)
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...unprivileged(new URL(databaseUrl)) })
  const url = throughPort(databaseUrl, port)
  await answering(url, child)
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PgBouncer refuses to run as root. The owner of the database's socket may enter its folder. */
function unprivileged(url: URL): { uid?: number; gid?: number } {
  const folder = url.searchParams.get('host')
  if (userInfo().uid !== 0 || folder === null) return {}
  const { uid, gid } = statSync(folder)
  return { uid, gid }
}

function configuration(url: URL, port: number): string {
  const host = url.searchParams.get('host') ?? url.hostname
  const password = decodeURIComponent(url.password)
  return `[databases]
* = host=${host} port=${url.port || 5432} user=${url.username} password='${password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
`
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const client = new Client({ connectionString: url })
    const answered = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (answered) return
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('PgBouncer did not start')
    await sleep(50)
  }
}
