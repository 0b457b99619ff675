// Acknowledged writes are durable (threat-model.md RE1, RE2): the server, and once the database under it, are killed during
// refreshes. After a restart on the same data folder no acknowledged write is lost, and no token family is broken.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { type Held, type Refreshing, startRefreshing } from './support/refreshing'
import { type ServerProcess, type Settings, startServer } from './support/server-process'
import { authorizeRequest, FAREWELL, redeem, refresh, TENANT } from './support/tenant'

const { kim, tab } = PEOPLE
const CLIENT = 'e2e-patient'
const TABS = 6
/** By then each tab is in the middle of an operation. */
const ENOUGH_REFRESHES = 60

let data: DataDir
let settings: Settings
let port: number
let server: ServerProcess

beforeAll(async () => {
  data = await makeServedDataDir()
  port = await freePort()
  settings = { ...TENANT, LATCHKEY_DATA_DIR: data.path }
  server = await startServer(settings, port)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

const request = (extra: Record<string, string> = {}) => authorizeRequest(server.url, { client_id: CLIENT, ...extra })

type Login = { person?: string; browser?: HttpBrowser }

async function newLogin({ person = kim.email, browser = new HttpBrowser() }: Login = {}) {
  const { url, verifier } = request()
  const callback = await signIn(browser, url, person)
  const { body } = await redeem(server.url, CLIENT, callback, verifier)
  return { callback, verifier, tokens: body }
}

async function revoke(token: string): Promise<number> {
  const body = new URLSearchParams({ client_id: CLIENT, token })
  return (await fetch(`${server.url}/oauth/revoke`, { method: 'POST', body })).status
}

const userinfoStatus = async (accessToken: string): Promise<number> =>
  (await fetch(`${server.url}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })).status

const silently = async (browser: HttpBrowser): Promise<string | null> =>
  (await signIn(browser, request({ prompt: 'none' }).url, kim.email)).searchParams.get('error')

const total = (tabs: Refreshing[]): number => tabs.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

async function killInTheMiddle(tabs: Refreshing[], kill: () => Promise<void>): Promise<Held[]> {
  const before = total(tabs)
  while (total(tabs) < before + ENOUGH_REFRESHES) await sleep(5)
  await kill()
  return Promise.all(tabs.map(({ ended }) => ended))
}

async function killServer(): Promise<void> {
  await server.end('SIGKILL')
}

async function killDatabaseAndServer(): Promise<void> {
  const postmaster = await data.postmasterPid()
  if (postmaster !== null) process.kill(postmaster, 'SIGKILL')
  await server.end('SIGKILL')
}

/** Both kinds alternate; CRASH_ROUNDS sets their number. */
const ROUNDS = Array.from({ length: Number(process.env.CRASH_ROUNDS ?? 3) }, (_, round) =>
  round % 2 === 0
    ? { round, what: 'the server', kill: killServer }
    : { round, what: 'the database and the server', kill: killDatabaseAndServer },
)

describe.sequential.each(ROUNDS)('kill -9 of $what, round $round', ({ kill }) => {
  it('loses no acknowledged refresh, breaks no family, and undoes nothing', async () => {
    const [stays, leaves] = [new HttpBrowser(), new HttpBrowser()]
    const redeemed = await newLogin({ browser: stays })
    await newLogin({ browser: leaves })
    // Revoking ends every token of this user for this app, so it uses another user.
    const { tokens: revoked } = await newLogin({ person: tab.email })
    const tabs: Refreshing[] = []
    for (let count = 0; count < TABS; count += 1) {
      const { tokens } = await newLogin()
      tabs.push(startRefreshing(server.url, CLIENT, tokens.refresh_token))
    }

    const held = await killInTheMiddle(tabs, async () => {
      await leaves.get(`${server.url}/v2/logout?returnTo=${encodeURIComponent(FAREWELL)}`)
      expect(await revoke(revoked.refresh_token)).toBe(200)
      await kill()
    })
    expect(held.map(({ refused }) => refused)).toEqual(tabs.map(() => null))
    server = await startServer(settings, port)

    for (const { token } of held) {
      const first = await refresh(server.url, CLIENT, token)
      expect(first).toMatchObject({ status: 200 })
      expect(await refresh(server.url, CLIENT, first.body.refresh_token)).toMatchObject({ status: 200 })
    }
    expect(await silently(stays)).toBeNull()
    expect(await silently(leaves)).toBe('login_required')
    expect(await userinfoStatus(revoked.access_token)).toBe(401)
    expect(await refresh(server.url, CLIENT, revoked.refresh_token)).toMatchObject({ status: 403 })

    expect(await userinfoStatus(redeemed.tokens.access_token)).toBe(200)
    const again = await redeem(server.url, CLIENT, redeemed.callback, redeemed.verifier)
    expect(again).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    expect(await userinfoStatus(redeemed.tokens.access_token)).toBe(401)
  })
})
