// Runs the whole comparison, in this order: database, both servers, cold starts, the rows with the real hash cost, the row
// without it, the row that reads mails (each on separate servers), the report.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import {
  clientCredentials,
  device,
  discovery,
  fullLogin,
  fullLoginWithoutHash,
  managedClient,
  managedUsers,
  mfaLogin,
  organizationLogin,
  passkeyLogin,
  password,
  passwordless,
  refresh,
  samlLogin,
  ssoLogin,
  userInfo,
  wsfedLogin,
} from './flows/index.mjs'
import { createCleanup } from './lib/cleanup.mjs'
import { startCluster } from './lib/cluster.mjs'
import { measureColdStart } from './lib/cold-start.mjs'
import { PASSWORD } from './lib/definition.mjs'
import { watchOthers } from './lib/disturbance.mjs'
import { describeMachine } from './lib/machine.mjs'
import { measureRow } from './lib/measure.mjs'
import { storedPassword } from './lib/password.mjs'
import { treeResidentMegabytes } from './lib/proc.mjs'
import { progressLine, report } from './lib/report.mjs'
import { checkSameJob } from './lib/same-job.mjs'
import { settle } from './lib/server-process.mjs'
import { measureWaitingLogins, startService, WAITING_LOGINS } from './lib/waiting-logins.mjs'
import { writeTable } from './lib/write-table.mjs'
import { prepareOurs } from './sides/ours.mjs'
import { preparePeer } from './sides/peer.mjs'

const COLD_STARTS = 5
const LOG_TAIL = 3000
const PREPARE = { ours: prepareOurs, peer: preparePeer }
const HASHED = [
  refresh,
  clientCredentials,
  userInfo,
  discovery,
  ssoLogin,
  samlLogin,
  wsfedLogin,
  fullLogin,
  password,
  mfaLogin,
  passkeyLogin,
  device,
  managedClient,
  managedUsers,
]
const UNHASHED = [fullLoginWithoutHash, organizationLogin]
/** For servers that store mails in the outbox. */
const MAILED = [passwordless]

const say = (text) => console.log(text)

async function prepareSides(setting, variant) {
  const sides = []
  for (const name of variant.sides ?? setting.options.sides) sides.push(await PREPARE[name]({ ...setting, ...variant }))
  return sides
}

async function startAll(sides, cleanup) {
  const running = []
  for (const side of sides) {
    const { pid, stop } = await side.start()
    cleanup.add(stop)
    running.push({ side, pid, stop })
  }
  for (const { side, pid } of running) {
    await checkSameJob(side)
    await settle(pid)
  }
  return running
}

async function measureRows(flows, running, { cluster, options }) {
  const rows = []
  for (const flow of flows) {
    const able = running.filter(({ side }) => flow.sides?.includes(side.name) ?? true)
    if (able.length === 0) continue
    const row = await measureRow(flow, able, options, cluster.postmaster)
    say(progressLine(row))
    rows.push(row)
  }
  return rows
}

/** The rows of one variant on separate servers, and the memory of those servers afterwards. */
async function measureVariant(setting, variant, flows, { coldStart }) {
  const sides = await prepareSides(setting, variant)
  const cold = coldStart ? await measureColdStart(sides, COLD_STARTS) : undefined
  const running = await startAll(sides, setting.cleanup)
  const othersShare = watchOthers(setting.cluster.postmaster)
  const rows = await measureRows(flows, running, setting)
  const disturbance = othersShare()
  const weights = running.map(({ side, pid }) => ({ name: side.name, megabytes: treeResidentMegabytes(pid) }))
  for (const { stop } of running) await stop()
  return { rows, coldStart: cold, disturbance, memory: { sides: weights } }
}

/** On a server of its own: its tenant has an action. */
async function measureWaiting(setting, cheap) {
  const service = await startService()
  setting.cleanup.add(service.stop)
  const sides = await prepareSides(setting, {
    ...cheap,
    suffix: 'actions',
    sides: ['ours'],
    service: service.address,
  })
  const [{ side, stop }] = await startAll(sides, setting.cleanup)
  const waiting = await measureWaitingLogins(side)
  await stop()
  await service.stop()
  return waiting
}

/** CPU time of one verification on an idle machine: the expected difference between the two full logins. */
async function measureHash() {
  const stored = await storedPassword({ cheap: false })
  const times = 20
  const before = process.cpuUsage()
  for (let index = 0; index < times; index++) await verify(stored, PASSWORD)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

async function measureAll(setting) {
  const { bench, options } = setting
  const wanted = (flows) => flows.filter(({ name }) => options.wants(name))
  const real = { suffix: 'real', cheap: false, preload: [] }
  const outbox = { suffix: 'outbox', cheap: false, preload: [], outbox: true, sides: ['ours'] }
  const cheap = { suffix: 'cheap', cheap: true, preload: ['--require', join(bench, 'cheap-hash.cjs')] }

  say(options.coldStart ? 'Cold starts, then with the password hash at its real cost' : 'With the password hash')
  const main = await measureVariant(setting, real, wanted(HASHED), options)
  const hash = await measureHash()
  const further = async (what, variant, flows) => {
    if (flows.length === 0) return []
    say(what)
    return (await measureVariant(setting, variant, flows, { coldStart: false })).rows
  }
  const without = await further('With the cost of the password hash taken out', cheap, wanted(UNHASHED))
  const ours = options.sides.includes('ours') ? wanted(MAILED) : []
  const mailed = await further('With mails that are kept to be read', outbox, ours)
  const isWaiting = options.sides.includes('ours') && options.wants(WAITING_LOGINS)
  if (isWaiting) say(`With ${WAITING_LOGINS}`)
  const waiting = isWaiting ? await measureWaiting(setting, cheap) : undefined
  return { ...main, rows: [...main.rows, ...without, ...mailed], hash, waiting }
}

/** The last output of the servers, which usually explains a failure. */
async function showLogs(folder) {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.log'))) {
    const text = (await readFile(join(folder, name), 'utf8')).trim()
    if (text) console.error(`--- ${name}\n${text.slice(-LOG_TAIL)}`)
  }
}

export async function benchmark({ bench, root, options }) {
  const started = performance.now()
  const folder = join(bench, '.data', String(process.pid))
  await mkdir(folder, { recursive: true })
  const cleanup = createCleanup()
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  try {
    const cluster = await startCluster(root, folder)
    cleanup.add(cluster.stop)
    const results = await measureAll({ bench, root, folder, cluster, cleanup, options })
    const how = `medians of ${options.rounds} rounds, ${options.concurrency} requests in flight`
    const text = report({ ...results, machine: describeMachine(cluster.version, results.disturbance, how) })
    say(`\n${text}\n\n${Math.round((performance.now() - started) / 1000)} s in all`)
    if (options.write) await writeTable(join(root, 'docs/performance.md'), 'bench', text)
  } catch (error) {
    if (cleanup.isInterrupted()) return
    await showLogs(folder)
    throw error
  } finally {
    await cleanup.run()
  }
}
