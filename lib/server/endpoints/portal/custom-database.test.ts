// The portal of a person whose account is in a database elsewhere (threat-model.md AC16, BF20).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../kernel/json'
import { locationOf, SPA } from '../../../testing/journey'
import { addLegacy, LEGACY_SCRIPTS, type Legacy, openLegacy } from '../../../testing/legacy'
import { mailsTo } from '../../../testing/mail'
import { codeTo } from '../../../testing/passwordless'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, PASSWORD, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let legacy: Legacy
let browser: Browser
let email: string
let counter = 0

beforeAll(async () => {
  server = await testServer()
  legacy = await openLegacy()
  await server.addClient(SPA)
})
afterAll(async () => {
  legacy.close()
  await server.close()
})
beforeEach(() => {
  email = `kim-${++counter}@mail.test`
  browser = server.browser({ ip: `203.0.113.${counter}` })
  legacy.people.push({ user_id: `k${counter}`, email, password: PASSWORD, email_verified: true })
})
afterEach(async () => {
  legacy.people.length = 0
  legacy.calls.length = 0
  await server.database.pool.query("DELETE FROM connection WHERE name = 'Legacy'")
  server.clock.advance(600)
})

async function enter(customScripts: JsonObject = LEGACY_SCRIPTS): Promise<void> {
  await addLegacy(server, legacy, { import_mode: false, customScripts })
  await enterPortal(browser, email)
}

const noticeOf = (answer: Parameters<typeof locationOf>[0]) => locationOf(answer).searchParams.get('notice')

async function changeTo(address: string) {
  const requested = locationOf(await submitInPortal(browser, 'profile', { action: 'email', email: address }))
  const waiting = requested.searchParams.get('waiting') ?? ''
  const code = await codeTo(server, address)
  return submitInPortal(browser, 'profile', { action: 'confirm', waiting, code })
}

const SAID_NO = '(...args) => args.at(-1)(null, false)'
const hashes = async () =>
  (await server.database.pool.query('SELECT password_hash FROM identity WHERE password_hash IS NOT NULL')).rowCount

describe('a new address', () => {
  it('is set there first, and its undo sets it back with a password that is not known', async () => {
    await enter()
    expect(noticeOf(await changeTo(`park-${email}`))).toBe('portal_saved')
    expect(legacy.people[0]).toMatchObject({ email: `park-${email}`, email_verified: true, password: PASSWORD })
    const link = (await mailsTo(server, email)).find((mail) => mail.link?.includes('/u/restore-email'))?.link ?? ''
    const ticket = new URL(link).searchParams.get('ticket') ?? ''
    const answer = await server.browser().post('/u/restore-email', { form: { ticket, action: 'restore-email' } })
    expect(answer.status).toBe(200)
    expect(legacy.people[0]).toMatchObject({ email, email_verified: true })
    expect(legacy.people[0]?.password).not.toBe(PASSWORD)
    expect((await mailsTo(server, email)).some((mail) => mail.link?.includes('/u/reset-password'))).toBe(true)
    expect(await hashes()).toBe(0)
  })

  it('is not set where the script refuses', async () => {
    await enter({ ...LEGACY_SCRIPTS, change_email: SAID_NO })
    expect((await changeTo(`park-${email}`)).status).toBe(403)
    const { rows } = await server.database.pool.query('SELECT email FROM "user" WHERE id = $1', [`auth0|k${counter}`])
    expect(rows).toEqual([{ email }])
  })

  it('is not offered without the script', async () => {
    const { change_email: _, ...scripts } = LEGACY_SCRIPTS
    await enter(scripts)
    const { text } = await browser.get('/account/profile')
    expect(text).not.toContain('name="email"')
  })
})

describe('“This wasn’t me”', () => {
  it('sets a password there that is not known', async () => {
    await enter()
    expect(noticeOf(await submitInPortal(browser, 'activity', { action: 'not-me' }))).toBe('portal_reset_sent')
    expect(legacy.people[0]?.password).not.toBe(PASSWORD)
    expect(await hashes()).toBe(0)
  })

  it('ends the sessions alone where the script is missing or refuses', async () => {
    await enter({ ...LEGACY_SCRIPTS, change_password: SAID_NO })
    expect(noticeOf(await submitInPortal(browser, 'activity', { action: 'not-me' }))).toBe('portal_ended')
    expect(legacy.people[0]).toMatchObject({ password: PASSWORD })
  })
})
