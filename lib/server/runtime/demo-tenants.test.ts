// The demo accounts that remain in a database are useless outside demo mode.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../adapters/store/database'
import { tenantRecordStore } from '../../adapters/store/prisma/management/tenant-record'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { beginLogin, submitPassword } from '../../testing/journey'
import { type LogLine, recordingLog, type TestServer, testServer } from '../../testing/server'
import { applyText } from '../../testing/tenant-file'
import { DEMO_PROVIDER, demoProviderUrl, placeDemoProvider, retireDemo } from './demo-tenants'
import { bootstrapTenants } from './tenant-registry'

const APP_URL = 'http://localhost:3000'
const PROVIDER_URL = demoProviderUrl(APP_URL)
const VARIABLES = { APP_URL, DEMO_PROVIDER_URL: PROVIDER_URL }

const file = (name: string) => readFile(new URL(`../../../prisma/${name}`, import.meta.url), 'utf8')

let server: TestServer
let db: Database

beforeAll(async () => {
  server = await testServer()
  db = server.db
  await applyText(server, FIRST_TENANT, await file('demo-tenant.yaml'), VARIABLES)
})
afterAll(() => server.close())

async function signsIn(): Promise<boolean> {
  const browser = server.browser()
  const state = await beginLogin(browser, { client_id: 'demo-app', redirect_uri: `${APP_URL}/demo` })
  const answer = await submitPassword(browser, state, 'ada@demo.test', 'analytical engine 1843')
  return answer.header('location')?.startsWith(`${APP_URL}/demo?code=`) ?? false
}

async function retired(): Promise<LogLine[]> {
  const lines: LogLine[] = []
  await retireDemo(FIRST_TENANT, { db, log: recordingLog(lines), clock: server.clock })
  server.clock.advance(2)
  return lines
}

it('does not change users from the operator’s file', async () => {
  expect(await retired()).toEqual([])
  expect(await signsIn()).toBe(true)
})

it('blocks the accounts whose passwords are public, says so, and opens them again in demo mode', async () => {
  await placeDemoProvider({ db, baseUrl: APP_URL })
  expect(await retired()).toMatchObject([{ level: 'warn', fields: { accounts: 5 } }])
  expect(await signsIn()).toBe(false)
  expect(await retired()).toHaveLength(1)
  await applyText(server, FIRST_TENANT, await file('demo-tenant.yaml'), VARIABLES)
  expect(await signsIn()).toBe(true)
})

it('takes the demo’s name and pages away at the first start outside demo mode, and what is set later stays', async () => {
  const stored = () => tenantRecordStore(db, FIRST_TENANT).read()
  await placeDemoProvider({ db, baseUrl: APP_URL })
  await applyText(server, FIRST_TENANT, await file('demo-tenant.yaml'), VARIABLES)
  expect(await stored()).toMatchObject({
    name: 'Latchkey Demo',
    settings: { tenant: { console_second_factor: false } },
  })
  await retired()
  const { name, settings } = await stored()
  expect(name).toBe('Latchkey')
  expect(settings.tenant).toEqual({
    default_directory: 'Username-Password-Authentication',
    session_lifetime: 168,
    idle_session_lifetime: 72,
    allowed_logout_urls: [`${APP_URL}/demo`],
    allow_organization_name_in_authentication_api: true,
  })
  await applyText(
    server,
    FIRST_TENANT,
    'tenant: { friendly_name: Latchkey Demo, console_second_factor: false }',
    VARIABLES,
  )
  await retired()
  expect(await stored()).toMatchObject({
    name: 'Latchkey Demo',
    settings: { tenant: { friendly_name: 'Latchkey Demo', console_second_factor: false } },
  })
})

it('serves the provider at its host in demo mode, and nowhere else', async () => {
  await placeDemoProvider({ db, baseUrl: 'http://localhost:4000' })
  await placeDemoProvider({ db, baseUrl: APP_URL })
  await applyText(server, DEMO_PROVIDER, await file('demo-acme.yaml'), VARIABLES)
  await bootstrapTenants({ db, clock: server.clock, random: server.random, vault: server.vault, baseUrl: APP_URL })
  const host = new URL(PROVIDER_URL).host
  const served = async (demo: boolean) => (await server.instance({ demo }).runtime(host)).tenantId
  expect(await served(true)).toBe(DEMO_PROVIDER)
  expect(await served(false)).toBe(FIRST_TENANT)
})
