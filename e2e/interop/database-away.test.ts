// The database becomes unavailable under a running server and returns (threat-model.md RE4): requests that need it soon get 503,
// other requests continue, and no restart is needed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Embedded, startEmbedded } from '../../lib/adapters/embedded-postgres/embedded'
import { systemClock } from '../../lib/kernel/clock'
import { systemRandom } from '../../lib/kernel/random'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { type ServerProcess, startServer } from './support/server-process'
import { authorizeRequest, redeem, refresh, TENANT } from './support/tenant'

const { kim } = PEOPLE
const CLIENT = 'e2e-patient'

let data: DataDir
let database: Embedded
let server: ServerProcess

const openDatabase = () => startEmbedded({ dataDir: data.path, clock: systemClock, random: systemRandom })

beforeAll(async () => {
  data = await makeDataDir()
  database = await openDatabase()
  const secret = systemRandom.token()
  server = await startServer({ ...TENANT, DATABASE_URL: database.url, LATCHKEY_SECRET: secret })
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await database?.stop()
  await data?.remove()
})

/**
 * Five seconds, counted in steps of 20 milliseconds and an answer of the same server. A busy machine delays the steps as much as
 * what they measure.
 */
const STEPS = 250

async function pause(): Promise<void> {
  await sleep(20)
  await fetch(`${server.url}/healthz`)
}

/** Null if there is no answer in time. */
async function statusInTime(ask: () => Promise<{ status: number }>): Promise<number | null> {
  let status: number | null = null
  const answered = ask().then((answer) => {
    status = answer.status
  })
  for (let step = 0; step < STEPS && status === null; step++) await Promise.race([answered, pause()])
  return status
}

it('answers 503 within seconds, keeps what needs no database, and recovers by itself', async () => {
  const { url, verifier } = authorizeRequest(server.url, { client_id: CLIENT })
  const callback = await signIn(new HttpBrowser(), url, kim.email)
  const { body } = await redeem(server.url, CLIENT, callback, verifier)

  const postmaster = (await data.postmasterPid()) ?? 0
  process.kill(postmaster, 'SIGKILL')
  while ((await data.postmasterPid()) !== null) await sleep(20)
  // Longer than any cache keeps a value.
  await sleep(2_000)

  for (const ask of [
    () => refresh(server.url, CLIENT, body.refresh_token),
    () => fetch(url, { redirect: 'manual' }),
    () => fetch(`${server.url}/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } }),
    () => fetch(`${server.url}/readyz`),
  ]) {
    expect(await statusInTime(ask)).toBe(503)
  }
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json', '/healthz']) {
    expect((await fetch(server.url + path)).status, path).toBe(200)
  }

  database = await openDatabase()
  let steps = 0
  for (; (await refresh(server.url, CLIENT, body.refresh_token)).status === 503; steps++) await pause()
  expect(steps).toBeLessThan(STEPS)
  expect(await refresh(server.url, CLIENT, body.refresh_token)).toMatchObject({ status: 200 })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
