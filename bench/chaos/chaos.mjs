// `npm run chaos` after the build: start the environment, apply constant load, inject one fault after another, verify. Only the
// clients' records decide. Exits with 1 if a guarantee is broken (docs/reliability.md lists them).
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCleanup } from '../lib/cleanup.mjs'
import { watchOthers } from '../lib/disturbance.mjs'
import { describeMachine } from '../lib/machine.mjs'
import { writeTable } from '../lib/write-table.mjs'
import { describeOurs } from '../sides/ours.mjs'
import { inFolder } from './folder.mjs'
import { isServed, Journal, summarize } from './journal.mjs'
import { createKeys } from './keys.mjs'
import { noPromises, startLoad } from './load.mjs'
import { reckon } from './reckoning.mjs'
import { report } from './report.mjs'
import { createSender } from './sender.mjs'
import { SMALL_LIMIT } from './tenant.mjs'
import { openWorld } from './world.mjs'

const WARM_UP_MS = 4000
/** threat-model.md RE4: maximum time until requests are served again after the unavailable service has returned. */
const RECOVERY_MS = 5000
const LOG_TAIL = 4000

async function suffer(fault, world, { seconds }) {
  const { journal, promises } = world
  const from = performance.now()
  await fault.run(world, (seconds * 1000) / 2).catch(({ message }) => journal.breach(`${fault.title}: ${message}`))
  const mended = performance.now()
  await sleep(Math.max(seconds * 1000 - (mended - from), RECOVERY_MS))
  const until = performance.now()
  const requests = journal.between(from, until)
  const row = { title: fault.title, ...summarize(requests, from, until), recovery: recoveryOf(requests, mended) }
  judge(fault, row, journal)
  judgeLimit(fault, promises.admitted, from, until, journal)
  console.log(`${fault.title}: ${row.unserved} of ${row.requests} requests not served`)
  return row
}

/** Time from the repair to the first successful response, if a request failed shortly before the repair. */
function recoveryOf(requests, mended) {
  const failing = requests.some((entry) => !isServed(entry) && entry.at > mended - 1000)
  if (!failing) return undefined
  const ends = requests.filter(isServed).map(({ at, ms }) => at + ms)
  return Math.max(0, Math.min(...ends.filter((at) => at >= mended)) - mended)
}

function judge({ title, strict }, { requests, unserved, recovery }, journal) {
  if (requests === 0) journal.breach(`${title}: no client sent a request`)
  if (strict && unserved > 0) journal.breach(`${title}: ${unserved} of ${requests} requests were not served`)
  if (recovery > RECOVERY_MS) journal.breach(`${title}: served again only ${Math.round(recovery / 1000)} s after it`)
}

/** Switching from Redis to PostgreSQL and back may start with a full bucket twice, and no more often. */
function judgeLimit({ title }, admitted, from, until, journal) {
  const given = admitted.filter((at) => at >= from && at < until).length
  const due = 2 * SMALL_LIMIT.burst + (SMALL_LIMIT.per_minute / 60) * Math.ceil((until - from) / 1000)
  if (given > due) journal.breach(`${title}: a limit let ${given} through that should stop at ${due}`)
}

/** Errors, and output that is not a log line, such as the last words of a crashed process. */
const isTelling = (line) => line !== '' && (!line.startsWith('{') || line.includes('"level":"error"'))

async function showLogs(folder) {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.log'))) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter(isTelling)
    console.error(`--- ${name}\n${lines.join('\n').slice(-LOG_TAIL)}`)
  }
}

async function experiment({ root, folder, cleanup, options }) {
  const journal = new Journal()
  const world = await openWorld({ root, folder, journal, cleanup, names: ['A', 'B'] })
  const side = describeOurs(world.origin)
  const sender = (kind, how) => createSender(world.origin, journal, kind, how)
  const keys = createKeys({ side, journal, http: sender('keys', { counted: false }) })
  const setting = { side, journal, sender, keys, promises: noPromises() }
  const load = startLoad(setting)
  await sleep(WARM_UP_MS)
  const rows = []
  for (const fault of options.faults) {
    if (fault.key === 'redis' && !world.redis) console.log('Left out: Redis. This machine has no redis-server.')
    else if (fault.second && !world.hasSecondClock)
      console.log(`Left out: ${fault.title}. This machine has no address but its own.`)
    else rows.push(await suffer(fault, { ...world, ...setting }, options))
  }
  await load.stop()
  if (setting.promises.refused.length === 0) journal.breach('a limit refused no request')
  const counts = await reckon(setting)
  if (journal.broken.length > 0) await showLogs(folder)
  return {
    rows,
    counts,
    broken: journal.broken,
    redis: world.redis !== undefined,
    database: await world.database.ask('SELECT version()'),
  }
}

export async function chaos({ root, options }) {
  const cleanup = createCleanup()
  const othersShare = watchOthers(process.pid)
  try {
    const results = await inFolder(root, 'chaos', cleanup, (folder) => experiment({ root, folder, cleanup, options }))
    const version = results.database.version.split(' ').slice(0, 2).join(' ')
    const how = `${results.redis ? 'Redis' : 'without Redis'} · ${options.seconds} s of each fault`
    const text = report({ ...results, machine: describeMachine(version, othersShare(), how) })
    console.log(`\n${text}`)
    if (options.write) await writeTable(join(root, 'docs/reliability.md'), 'chaos', text)
    if (results.broken.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}
