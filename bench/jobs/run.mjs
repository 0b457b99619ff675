// `node bench/jobs/run.mjs [users]`: imports users with bcrypt hashes through the Management API into a server with a database of its
// own, exports them again, and shows the speed and the memory of the server (docs/performance.md).
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { launch } from '../../lib/server/node/launch/step.mjs'
import { freePort } from '../../lib/testing/free-port.mjs'
import { inFolder } from '../chaos/folder.mjs'
import { createCleanup } from '../lib/cleanup.mjs'
import { startCluster } from '../lib/cluster.mjs'
import { watchOthers } from '../lib/disturbance.mjs'
import { describeMachine } from '../lib/machine.mjs'
import { treeMicroseconds } from '../lib/proc.mjs'
import { settle, startServer } from '../lib/server-process.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLIENT = { client_id: 'bench-jobs', client_secret: 'the-secret-of-the-jobs-of-the-benchmark' }
const BCRYPT = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const BOUNDARY = 'boundary-of-the-benchmark'
const SAMPLE_MS = 100

const tenantOf = (url) => `
databases: [{ name: Users }]
clients:
  - { name: Jobs, ${Object.entries(CLIENT)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')}, app_type: non_interactive, grant_types: [client_credentials] }
clientGrants:
  - { client_id: Jobs, audience: '${url}/api/v2/', scope: [create:users, read:users, read:connections] }
`

function* formOf(users, connection) {
  const part = (name, more = '') => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  yield `${part('connection_id')}${connection}\r\n${part('users', '; filename="users.ndjson"')}`
  for (let from = 0; from < users; from += 100) {
    const lines = Array.from({ length: Math.min(100, users - from) }, (_, n) => lineOf(from + n))
    yield `${lines.join('\n')}\n`
  }
  yield `\r\n--${BOUNDARY}--\r\n`
}

const lineOf = (n) =>
  JSON.stringify({
    email: `person-${n}@bench.test`,
    email_verified: true,
    given_name: 'Person',
    family_name: `Number ${n}`,
    name: `Person Number ${n}`,
    password_hash: BCRYPT,
    app_metadata: { plan: 'gold', legacy_id: n },
  })

/** The resident memory of one process in MB, now and at its highest since `reset`. */
function watchMemory(pid) {
  const now = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  let highest = now()
  const timer = setInterval(() => {
    highest = Math.max(highest, now())
  }, SAMPLE_MS)
  return {
    now,
    reset: () => {
      highest = now()
    },
    highest: () => highest,
    stop: () => clearInterval(timer),
  }
}

async function upload(url, token, users, connection) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const sent = request(`${url}/api/v2/jobs/users-imports`, { method: 'POST', headers })
  const answered = once(sent, 'response')
  await pipeline(Readable.from(formOf(users, connection)), sent)
  const [answer] = await answered
  const body = JSON.parse(Buffer.concat(await answer.toArray()).toString())
  if (answer.statusCode !== 202) throw new Error(`the import was refused: ${JSON.stringify(body)}`)
  return body.id
}

async function ended(api, id) {
  for (;;) {
    const job = await api(`/jobs/${id}`)
    if (job.status === 'completed') return job
    if (job.status === 'failed') throw new Error(`the job failed: ${job.status_details}`)
    await sleep(200)
  }
}

async function linesOf(location) {
  let lines = 0
  const count = async (chunks) => {
    for await (const chunk of chunks) for (const byte of chunk) if (byte === 10) lines += 1
  }
  const answer = await fetch(location)
  await pipeline(Readable.fromWeb(answer.body), createGunzip(), count)
  return lines
}

async function timed(work) {
  const from = performance.now()
  const value = await work()
  return { value, seconds: (performance.now() - from) / 1000 }
}

async function measure(folder, cleanup, users) {
  const cluster = await startCluster(ROOT, folder)
  cleanup.add(cluster.stop)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const config = join(folder, 'tenant.yaml')
  writeFileSync(config, tenantOf(url))
  const server = await startServer({
    args: [...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []), 'dist/server.js'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: await cluster.createDatabase('bench_jobs'),
      LATCHKEY_SECRET: 'the-secret-of-a-benchmark-of-jobs-0123456789',
      LATCHKEY_CONFIG: config,
      LATCHKEY_MAX_IMPORT: '10000',
      LATCHKEY_LOG_LEVEL: 'warn',
      LATCHKEY_WORKERS: '1',
    },
    cwd: ROOT,
    url: `${url}/readyz`,
    log: join(folder, 'server.log'),
  })
  cleanup.add(server.stop)
  await settle(server.pid)
  const form = { grant_type: 'client_credentials', ...CLIENT, audience: `${url}/api/v2/` }
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = await answer.json()
  const api = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return (await fetch(`${url}/api/v2${path}`, { headers, ...init })).json()
  }
  const [{ id: connection }] = await api('/connections?strategy=auth0')
  const memory = watchMemory(server.pid)
  cleanup.add(async () => memory.stop())
  const disturbance = watchOthers(cluster.postmaster)
  const atStart = memory.now()
  const rows = []
  const phase = async (name, work) => {
    memory.reset()
    const used = () => [server.pid, cluster.postmaster].map((pid) => treeMicroseconds(pid))
    const before = used()
    const { value, seconds } = await timed(work)
    const cpu = used().map((micros, side) => Math.round((micros - before[side]) / users))
    const figures = [seconds.toFixed(1), Math.round(users / seconds), ...cpu, Math.round(memory.highest())]
    rows.push(`| ${[name, ...figures].join(' | ')} |`)
    return value
  }
  const importId = await phase('upload', () => upload(url, token, users, connection))
  const imported = await phase('import', () => ended(api, importId))
  if (imported.summary.inserted !== users) throw new Error(`imported: ${JSON.stringify(imported.summary)}`)
  const { id: exportId } = await api('/jobs/users-exports', { connection_id: connection, format: 'json' })
  const exported = await phase('export', () => ended(api, exportId))
  const lines = await phase('download', () => linesOf(exported.location))
  if (lines !== users) throw new Error(`the export has ${lines} users`)
  console.log(describeMachine(cluster.version, disturbance(), `${users} users`))
  console.log(`Resident memory at the start: ${Math.round(atStart)} MB\n`)
  console.log('| | seconds | users/s | server µs/user | database µs/user | highest resident MB |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  console.log(rows.join('\n'))
}

await launch(async () => {
  const users = Number(process.argv[2] ?? 500_000)
  await ensureBuilt('server', 'commands')
  const cleanup = createCleanup()
  try {
    await inFolder(ROOT, 'jobs', cleanup, (folder) => measure(folder, cleanup, users))
  } finally {
    await cleanup.run()
  }
})
