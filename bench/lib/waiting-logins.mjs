// Logins whose action waits one second for a service: many at once, and logins beside them whose action does not wait.
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { createBrowser } from './browser.mjs'
import { API, people } from './definition.mjs'
import { authorizationRequest, readCode, signIn } from './oauth.mjs'
import { createHttp } from './pool.mjs'
import { ascending, median, percentile } from './statistics.mjs'

export const WAITING_LOGINS = 'logins whose action waits'
const LOGINS = 200
const WAIT_MS = 1000
/** By the clock, on two cores. */
const TARGET_MS = 3000
const ROUNDS = 5
const BESIDE = 2

/** The action of the tenant: it waits where the request says so. */
export const waitingAction = (service) => ({
  name: 'Waits',
  code: `exports.onExecutePostLogin = async (event) => {
    if (event.request.query.wait) await (await fetch(event.secrets.SERVICE)).text()
  }`,
  secrets: [{ name: 'SERVICE', value: service }],
  supported_triggers: [{ id: 'post-login', version: 'v3' }],
})

/** A service that answers after a second. */
export async function startService() {
  const server = createServer((_request, response) => {
    setTimeout(() => response.end('done'), WAIT_MS)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

async function signedIn(side, http, count) {
  const browsers = []
  for (let index = 0; index < count; index++) {
    const browser = createBrowser(http)
    await signIn(side, http, browser, people[index % people.length], API)
    browsers.push(browser)
  }
  return browsers
}

/** Milliseconds of a login of a signed-in browser, until its application has a code. */
async function logIn(side, browser, extra) {
  const started = performance.now()
  const { path, state } = authorizationRequest(side, API, extra)
  readCode(await browser.open(path), state)
  return performance.now() - started
}

async function logInUntil(side, browsers, isOver) {
  const latencies = []
  const work = async (browser) => {
    while (!isOver()) latencies.push(await logIn(side, browser, {}))
  }
  await Promise.all(browsers.map(work))
  return latencies
}

const summarized = (latencies) => {
  const sorted = ascending(latencies)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

export async function measureWaitingLogins(side) {
  const [https, httpBeside] = [createHttp(side.origin, LOGINS), createHttp(side.origin, BESIDE)]
  const waiting = await signedIn(side, https, LOGINS)
  const beside = await signedIn(side, httpBeside, BESIDE)
  const took = []
  const latencies = { alone: [], beside: [] }
  // The first round starts the threads and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const until = performance.now() + WAIT_MS
    const alone = await logInUntil(side, beside, () => performance.now() > until)
    let isOver = false
    const started = performance.now()
    const all = Promise.all(waiting.map((browser) => logIn(side, browser, { wait: '1' }))).then(() => {
      isOver = true
      return performance.now() - started
    })
    const [milliseconds, some] = await Promise.all([all, logInUntil(side, beside, () => isOver)])
    if (round === 0) continue
    took.push(milliseconds)
    latencies.alone.push(...alone)
    latencies.beside.push(...some)
  }
  await Promise.all([https.close(), httpBeside.close()])
  return {
    logins: LOGINS,
    milliseconds: median(took),
    target: TARGET_MS,
    alone: summarized(latencies.alone),
    beside: summarized(latencies.beside),
  }
}
