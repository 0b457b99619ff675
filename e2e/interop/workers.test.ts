// Several processes behind one port are one server (LATCHKEY_WORKERS): its parent replaces a process that dies, replaces all of
// them without a failed request, and takes them along when it ends.
import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, PEOPLE } from '../people'
import { balanced, loginOn } from './support/balanced'
import { isAlive } from './support/data-dir'
import { type ServerProcess, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { authorizeRequest, redeem } from './support/tenant'

const OPERATOR = 'the-token-of-an-operator'
const PATIENCE = { timeout: 60_000, interval: 100 }

let database: SharedDatabase
let server: ServerProcess

const start = (): Promise<ServerProcess> =>
  startServer({ ...database.settings, LATCHKEY_WORKERS: '2', LATCHKEY_OPERATOR_TOKEN: OPERATOR })

beforeAll(async () => {
  database = await shareDatabase()
  server = await start()
})
afterAll(async () => {
  await server?.end('SIGKILL')
  await database?.remove()
})

async function workersOf({ pid }: ServerProcess): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

/** Over a connection of its own unless an agent keeps one; connections go to the workers in turn. */
const statusOf = (path: string, agent: Agent | false = false): Promise<number> =>
  new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { agent, headers: { authorization: `Bearer ${OPERATOR}` } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })

async function sumOf(metric: string): Promise<number> {
  const page = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR}` } })).text()
  const lines = page.split('\n').filter((line) => line.startsWith(metric))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const bothServe = () => expect.poll(() => sumOf('latchkey_processes'), PATIENCE).toBe(2)

it('starts two workers, and adds up their metrics', async () => {
  await bothServe()
  expect(await workersOf(server)).toHaveLength(2)
  for (let n = 0; n < 10; n += 1) expect(await statusOf('/healthz')).toBe(200)
  for (let n = 0; n < 4; n += 1) expect(await sumOf('latchkey_requests_total{endpoint="healthz"')).toBe(10)
})

it('counts wrong passwords together', async () => {
  const { browser } = balanced(server)
  const state =
    new URL((await browser.get(authorizeRequest(ORIGIN).url)).location ?? '').searchParams.get('state') ?? ''
  const submit = (password: string) =>
    browser.post(`${ORIGIN}/u/submit`, { state, action: 'login', username: PEOPLE.dan.email, password })
  const wrong = await Promise.all(Array.from({ length: 12 }, () => submit('wrong')))
  const notices = wrong.map(({ location }) => /notice=(\w+)/.exec(location ?? '')?.[1])
  expect(notices.filter((notice) => notice === 'wrong_credentials')).toHaveLength(10)
  expect((await submit(PASSWORD)).location).toContain('notice=too_many_attempts')
})

it('replaces a worker that is killed', async () => {
  const before = await workersOf(server)
  process.kill(before[0] ?? 0, 'SIGKILL')
  const added = async () => (await workersOf(server)).filter((pid) => !before.includes(pid)).length
  await expect.poll(added, PATIENCE).toBe(1)
  await bothServe()
  const { callback, verifier } = await loginOn(server, PEOPLE.kim.email)
  expect(await redeem(server.url, 'e2e-spa', callback, verifier)).toMatchObject({ status: 200 })
  expect(server.output()).toContain('A worker ended; another one takes its place.')
})

it('replaces every worker without a failed request', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  const outcomes = new Map<unknown, number>()
  let running = true
  const ask = async (kept: Agent | false): Promise<void> => {
    while (running) {
      const outcome = await statusOf('/readyz', kept).catch((error: Error) => error.message)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const clients = [ask(agent), ask(agent), ask(false)]
  const before = await workersOf(server)
  process.kill(server.pid, 'SIGHUP')
  const present = async () => {
    const pids = await workersOf(server)
    return { number: pids.length, old: pids.filter((pid) => before.includes(pid)).length }
  }
  await expect.poll(present, PATIENCE).toEqual({ number: 2, old: 0 })
  running = false
  await Promise.all(clients)
  agent.destroy()
  expect([...outcomes.keys()]).toEqual([200])
})

it('ends its workers before it ends, and never leaves one behind', async () => {
  const workers = await workersOf(server)
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(workers.filter(isAlive)).toEqual([])

  server = await start()
  await bothServe()
  const orphans = await workersOf(server)
  await server.end('SIGKILL')
  await expect.poll(() => orphans.filter(isAlive), PATIENCE).toEqual([])
})
