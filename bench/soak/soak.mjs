// `npm run soak` after the build: runs one server at half of its capacity for half an hour and searches for leaks.
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../chaos/folder.mjs'
import { Journal } from '../chaos/journal.mjs'
import { createSender } from '../chaos/sender.mjs'
import { openWorld } from '../chaos/world.mjs'
import { createCleanup } from '../lib/cleanup.mjs'
import { watchOthers } from '../lib/disturbance.mjs'
import { describeMachine } from '../lib/machine.mjs'
import { writeTable } from '../lib/write-table.mjs'
import { describeOurs } from '../sides/ours.mjs'
import { createOperations } from './operations.mjs'
import { capacity, startPace } from './pace.mjs'
import { report } from './report.mjs'
import { createProbe } from './sampling.mjs'
import { judge } from './verdict.mjs'

const WARM_UP_MS = 5000
const CAPACITY_MS = 10_000
const REST_MS = 3000
const SAMPLES = 120
const PRELOAD = ['--expose-gc', '--require', join(import.meta.dirname, 'probe.cjs')]

async function rest(http) {
  http.close()
  await sleep(REST_MS)
}

async function watch(probe, minutes) {
  const samples = []
  const from = performance.now()
  for (let index = 1; index <= SAMPLES; index++) {
    await sleep(Math.max(0, from + (index / SAMPLES) * minutes * 60_000 - performance.now()))
    samples.push({ at: performance.now() - from, ...(await probe.memory()) })
  }
  return samples
}

async function measure({ root, folder, cleanup, minutes }) {
  const journal = new Journal()
  const messages = new EventEmitter()
  const how = { preload: PRELOAD, onMessage: (message) => messages.emit('memory', message) }
  const world = await openWorld({ root, folder, journal, cleanup, names: ['A'], how })
  const [instance] = world.instances
  const http = createSender(world.origin, journal, 'soak', { counted: false })
  const operate = await createOperations(describeOurs(world.origin), http)
  const probe = createProbe({ instance, messages, database: world.database })

  await capacity(operate, WARM_UP_MS)
  const full = await capacity(operate, CAPACITY_MS)
  await rest(http)
  const begin = await probe.holdings()
  const perSecond = full / 2
  console.log(`Capacity: ${Math.round(full)} operations a second; half of it for ${minutes} minutes`)
  const pace = startPace(operate, perSecond)
  const samples = await watch(probe, minutes)
  await pace.stop()
  await rest(http)
  const end = await probe.holdings()
  const { rows, broken } = judge({ samples, operationsPerHour: perSecond * 3600, begin, end, counts: pace.counts })
  const { version } = await world.database.ask('SELECT version()')
  const redis = world.redis ? 'Redis' : 'without Redis'
  const database = `${version.split(' ').slice(0, 2).join(' ')}`
  return {
    full,
    perSecond,
    counts: pace.counts,
    rows,
    begin,
    end,
    broken: [...broken, ...journal.broken],
    database,
    redis,
  }
}

export async function soak({ root, options: { minutes, write } }) {
  const cleanup = createCleanup()
  const othersShare = watchOthers(process.pid)
  try {
    const results = await inFolder(root, 'soak', cleanup, (folder) => measure({ root, folder, cleanup, minutes }))
    const machine = describeMachine(results.database, othersShare(), results.redis)
    const text = report({ ...results, machine, minutes })
    console.log(`\n${text}`)
    if (write) await writeTable(join(root, 'docs/reliability.md'), 'soak', text)
    if (results.broken.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}
