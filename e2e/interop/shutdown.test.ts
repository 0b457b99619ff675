// SIGTERM completes the work in progress and leaves nothing behind (threat-model.md RE5).
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PASSWORD, PEOPLE } from '../people'
import { type DataDir, isAlive, makeDataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { launch, type ServerProcess, type Settings, startServer } from './support/server-process'
import { beginRequest } from './support/slow-request'
import { authorizeRequest, redeem, refresh, TENANT } from './support/tenant'

const { kim } = PEOPLE

let port: number
let server: ServerProcess | undefined

beforeEach(async () => {
  port = await freePort()
})

const settingsOf = (data: DataDir): Settings => ({ ...TENANT, LATCHKEY_DATA_DIR: data.path })

const isListening = (): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(port, 'localhost')
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
    probe.on('connect', () => probe.destroy())
  })

describe('a server with new data', () => {
  let data: DataDir

  beforeEach(async () => {
    data = await makeDataDir()
  })
  afterEach(async () => {
    await server?.end('SIGKILL')
    await data.remove()
  })

  it('finishes requests under way, stops the database, frees the port, and finds its data again', async () => {
    const first = await startServer(settingsOf(data), port)
    server = first
    const browser = new HttpBrowser()
    const { url, verifier } = authorizeRequest(first.url)
    const callback = await signIn(browser, url, kim.email)
    const { body: tokens } = await redeem(first.url, 'e2e-spa', callback, verifier)

    const password = new URLSearchParams({ state: 'x', action: 'login', username: kim.email, password: PASSWORD })
    const refreshing = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'e2e-spa',
      refresh_token: tokens.refresh_token,
    })
    const page = await beginRequest(port, '/u/submit', `${password}`)
    const token = await beginRequest(port, '/oauth/token', `${refreshing}`)
    const postmaster = (await data.postmasterPid()) ?? 0
    expect(isAlive(postmaster)).toBe(true)

    const ending = first.end('SIGTERM')
    while (await isListening()) await sleep(10)
    const answer = await token.finish()
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(await page.finish()).toMatch(/^HTTP\/1\.1 400 /)

    const answered = performance.now()
    while (await data.serves()) await sleep(10)
    expect(performance.now() - answered, 'the server waits for no request any more').toBeLessThan(8_000)
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(isAlive(postmaster)).toBe(false)
    expect(await data.postmasterPid()).toBeNull()

    server = await startServer(settingsOf(data), port)
    const successor = (JSON.parse(answer.slice(answer.indexOf('{'))) as { refresh_token: string }).refresh_token
    expect(await refresh(server.url, 'e2e-spa', successor)).toMatchObject({ status: 200 })
    const silent = await signIn(browser, authorizeRequest(server.url, { prompt: 'none' }).url, kim.email)
    expect(silent.searchParams.get('code')).toBeTruthy()
    expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null })
  })

  it('stops cleanly while it is still starting', async () => {
    const starting = launch(settingsOf(data), port)
    while ((await data.postmasterPid()) === null) await sleep(5)
    const postmaster = (await data.postmasterPid()) ?? 0
    expect(await starting.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(isAlive(postmaster)).toBe(false)
    expect(await isListening()).toBe(false)
  })
})

describe('an action that waits for a service', () => {
  const TENANT_FILE = `
clients:
  - name: Machine
    client_id: machine
    client_secret: a-secret-of-the-machine-that-is-long
    app_type: non_interactive
    grant_types: [client_credentials]
resourceServers:
  - { name: Orders, identifier: 'https://orders.test/', scopes: [{ value: 'read:orders' }] }
clientGrants:
  - { client_id: Machine, audience: 'https://orders.test/', scope: ['read:orders'] }
actions:
  - name: Slow
    code: |
      exports.onExecuteCredentialsExchange = async (event, api) => {
        await new Promise((resolve) => setTimeout(resolve, 12000))
        api.accessToken.setCustomClaim('https://orders.test/waited', true)
      }
    supported_triggers: [{ id: credentials-exchange, version: v2 }]
triggers:
  credentials-exchange: [{ action_name: Slow }]
`
  let data: DataDir

  beforeEach(async () => {
    data = await makeDataDir()
    await writeFile(join(data.path, 'tenant.yaml'), TENANT_FILE)
  })
  afterEach(async () => {
    await server?.end('SIGKILL')
    await data.remove()
  })

  it('finishes, though the server stops meanwhile', async () => {
    const settings = { LATCHKEY_CONFIG: join(data.path, 'tenant.yaml'), LATCHKEY_DATA_DIR: data.path }
    server = await startServer(settings, port)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'machine',
      client_secret: 'a-secret-of-the-machine-that-is-long',
      audience: 'https://orders.test/',
    })
    const token = await beginRequest(port, '/oauth/token', `${body}`)
    const ending = server.end('SIGTERM')
    while (await isListening()) await sleep(10)
    const answer = await token.finish()
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    const { access_token } = JSON.parse(answer.slice(answer.indexOf('{'))) as { access_token: string }
    expect(JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      'https://orders.test/waited': true,
    })
    expect(await ending).toEqual({ code: 0, signal: null })
  })
})

describe('the process that renders the pages', () => {
  // The pages keep nothing in the data, so the tests share it.
  let data: DataDir

  beforeAll(async () => {
    data = await makeServedDataDir()
  })
  afterEach(() => server?.end('SIGKILL'))
  afterAll(() => data.remove())

  /** `ps` fails if there is no such process. */
  const below = (pid: number): number[] =>
    spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes('pages.js'))
      .map((line) => Number.parseInt(line, 10))

  /** Throws if there is none: a signal to process 0 would end the tests themselves. */
  function onlyBelow(pid: number): number {
    const [pages] = below(pid)
    if (pages === undefined) throw new Error('no process renders pages')
    return pages
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is started by the first request, and ends with the server by %s',
    async (signal) => {
      server = await startServer(settingsOf(data), port)
      expect(below(server.pid)).toEqual([])
      expect((await fetch(server.url)).status).toBe(200)
      const pages = onlyBelow(server.pid)
      expect(isAlive(pages)).toBe(true)
      await server.end(signal)
      while (isAlive(pages)) await sleep(20)
    },
  )

  it('is restarted after a crash', async () => {
    server = await startServer(settingsOf(data), port)
    await fetch(server.url)
    const pages = onlyBelow(server.pid)
    process.kill(pages, 'SIGKILL')
    while (below(server.pid).includes(pages)) await sleep(20)
    expect((await fetch(server.url)).status).toBe(200)
  })
})
