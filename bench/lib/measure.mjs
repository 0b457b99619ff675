// One row of the comparison: the servers alternate round by round, with the same number of operations. Other load on the
// machine affects both. CPU time is what the kernel attributes to the server's process tree and to the database cluster during
// the round; the client's is excluded.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { people } from './definition.mjs'
import { createHttp } from './pool.mjs'
import { treeMicroseconds } from './proc.mjs'
import { ascending, median, percentile } from './statistics.mjs'

/** Lets the work that follows a response (log lines, WAL) be counted in its own round. */
const AFTERMATH_MS = 40
/**
 * Warm-up before the first counted round, so that both servers are compiled and their caches full; the first limit that is
 * reached ends it.
 */
const WARM_UP_MS = 12_000
const WARM_UP_ROUNDS = 40

function peopleInTurn() {
  let next = 0
  return () => people[next++ % people.length]
}

/** One server of a row: its connections, and as many visitors with tokens or cookies as run concurrently. */
async function prepare(flow, { side, pid }, concurrency) {
  const context = { side, http: createHttp(side.origin, concurrency), nextPerson: peopleInTurn() }
  const visitors = []
  for (let index = 0; index < concurrency; index++) visitors.push(await flow.prepare(context))
  return { pid, context, visitors, rounds: [] }
}

async function operate(flow, { context, visitors }, operations) {
  const latencies = []
  let left = operations
  const work = async (visitor) => {
    while (left-- > 0) {
      const started = performance.now()
      await flow.run(context, visitor)
      latencies.push(performance.now() - started)
    }
  }
  await Promise.all(visitors.map(work))
  return latencies
}

async function warmUp(flow, contender, operations) {
  const until = performance.now() + WARM_UP_MS
  for (let index = 0; index < WARM_UP_ROUNDS && performance.now() < until; index++) {
    await operate(flow, contender, operations)
  }
}

async function round(flow, contender, operations, postmaster) {
  const server = treeMicroseconds(contender.pid)
  const database = treeMicroseconds(postmaster)
  const started = performance.now()
  const latencies = await operate(flow, contender, operations)
  const seconds = (performance.now() - started) / 1000
  await sleep(AFTERMATH_MS)
  return {
    latencies,
    perSecond: operations / seconds,
    server: (treeMicroseconds(contender.pid) - server) / operations,
    database: (treeMicroseconds(postmaster) - database) / operations,
  }
}

function summarize(rounds) {
  const of = (read) => median(rounds.map(read))
  const latencies = ascending(rounds.flatMap(({ latencies: some }) => some))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    server: of(({ server }) => server),
    database: of(({ database }) => database),
    total: of(({ server, database }) => server + database),
    totals: rounds.map(({ server, database }) => server + database),
  }
}

/** The ratio of the medians, and the range of the ratios of adjacent rounds. */
function compare([ours, peer]) {
  const totals = (contender) => contender.rounds.map(({ server, database }) => server + database)
  const pairs = totals(ours).map((total, index) => total / totals(peer)[index])
  return { ratio: median(totals(ours)) / median(totals(peer)), spread: [Math.min(...pairs), Math.max(...pairs)] }
}

export async function measureRow(flow, running, { rounds, concurrency, scale }, postmaster) {
  const operations = Math.ceil(flow.operations * scale)
  const contenders = await Promise.all(running.map((one) => prepare(flow, one, concurrency)))
  for (const contender of contenders) await warmUp(flow, contender, operations)
  for (let index = 0; index < rounds; index++) {
    for (const contender of contenders) contender.rounds.push(await round(flow, contender, operations, postmaster))
  }
  for (const { context } of contenders) await context.http.close()
  return {
    name: flow.name,
    target: flow.target,
    sides: contenders.map((contender) => ({ name: contender.context.side.name, ...summarize(contender.rounds) })),
    ...(contenders.length === 2 && compare(contenders)),
  }
}
