// The second factor that the console demands of administrators, in a tenant that has enabled none (threat-model.md MF11).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_CLIENT } from '../../../data/clients/console'
import { issueTicket } from '../../../data/tickets/ticket'
import { INVITATION } from '../../../management/operations/console-administrators'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { softCredential } from '../../../testing/authenticator'
import { keep, requestTo, signInToConsole } from '../../../testing/console-sign-in'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { codeOf } from '../../../testing/mfa'
import { ceremonyOn, HERE } from '../../../testing/passkeys'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestServer, testServer } from '../../../testing/server'
import { enter } from './entry'
import { acceptInvitation } from './join'

process.env.AUTH_TRUST_HOST = '1'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  manager = await addManager(server)
})
afterAll(() => server.close())

async function addPerson(role: ConsoleRole | null = null): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@example.com`
  const id = await server.addUser({ email, data: { emailVerified: true } })
  if (role !== null) await (await server.runtime()).administrators.put(id, role, server.clock.now())
  return { id, email }
}

type Jar = Map<string, string>

const stateOf = async (jar: Jar) =>
  (await enter({ runtime: await server.runtime(), request: requestTo('/console', jar) })).state

const pageOf = (url: string) => new URL(url).pathname

const send = async (browser: Browser, at: string, action: string, fields: Record<string, string> = {}) =>
  locationOf(
    await browser.post('/u/submit', {
      form: { state: new URL(at).searchParams.get('state') ?? '', action, ...fields },
    }),
  ).href

const read = async (browser: Browser, url: string) =>
  (await browser.get(pageOf(url), { query: Object.fromEntries(new URL(url).searchParams) })).text

/** From the page that enrols a factor: the authenticator app, and what follows. */
async function enrolApp(browser: Browser, at: string) {
  const chosen = await send(browser, at, 'mfa-enroll', { factor: 'otp' })
  const secret = /[A-Z2-7]{32}/.exec(await read(browser, chosen))?.[0] ?? ''
  const saved = await send(browser, chosen, 'mfa-confirm', { code: codeOf(server, secret) })
  expect(pageOf(saved)).toBe('/u/mfa-recovery-code')
  const callback = await send(browser, saved, 'mfa-saved')
  return { secret, callback }
}

/** An administrator who has set up an authenticator app. */
async function addEnrolled(role: ConsoleRole = 'auditor') {
  const person = await addPerson(role)
  const { browser, callback: page } = await signInToConsole(server, person.email)
  const { secret } = await enrolApp(browser, page)
  // The code of the next entry is of another time step.
  server.clock.advance(60)
  return { ...person, secret }
}

describe('where the tenant has enabled no factor', () => {
  it('an administrator sets up an authenticator app at the first entry, and the console opens after that', async () => {
    const { email } = await addPerson('owner')
    const { browser, jar, callback: page, finish } = await signInToConsole(server, email)
    expect(pageOf(page)).toBe('/u/mfa-enroll')
    const text = await read(browser, page)
    expect(text).toContain('value="otp"')
    expect(text).toContain('value="webauthn-roaming"')
    expect(text).not.toMatch(/value="(sms|email|push)/)
    const { callback } = await enrolApp(browser, page)
    expect(new URL(callback).searchParams.has('code')).toBe(true)
    keep(jar, (await finish(jar, callback)).cookies)
    expect(await stateOf(jar)).toBe('in')
  })

  it('an administrator sets up a security key at the first entry', async () => {
    const { email } = await addPerson('owner')
    const { browser, jar, callback: page, finish } = await signInToConsole(server, email)
    const chosen = await send(browser, page, 'mfa-enroll', { factor: 'webauthn-roaming' })
    const { challenge, session, options } = ceremonyOn(await read(browser, chosen), 'create')
    const response = softCredential().create({ ...HERE, challenge, handle: options.user?.id ?? '' })
    const added = { passkey_session: session, passkey_response: JSON.stringify(response) }
    const saved = await send(browser, chosen, 'mfa-confirm', added)
    keep(jar, (await finish(jar, await send(browser, saved, 'mfa-saved'))).cookies)
    expect(await stateOf(jar)).toBe('in')
  })

  it('the next entry asks for the factor, and refuses a wrong code', async () => {
    const { email, secret } = await addEnrolled()
    const { browser, jar, callback: page, finish } = await signInToConsole(server, email)
    expect(pageOf(page)).toBe('/u/mfa-challenge')
    expect(pageOf(await send(browser, page, 'mfa-verify', { code: '000000' }))).toBe('/u/mfa-challenge')
    const callback = await send(browser, page, 'mfa-verify', { code: codeOf(server, secret) })
    keep(jar, (await finish(jar, callback)).cookies)
    expect(await stateOf(jar)).toBe('in')
  })

  it('no browser is remembered for the console', async () => {
    const { email } = await addEnrolled()
    const { browser, callback: page } = await signInToConsole(server, email)
    expect(await read(browser, page)).not.toContain('name="remember"')
  })

  it('a session of another application asks for the factor alone', async () => {
    const { email } = await addEnrolled()
    const browser = server.browser()
    const login = await submitPassword(browser, await beginLogin(browser), email)
    expect(locationOf(login).searchParams.has('code')).toBe(true)
    const started = await signInToConsole(server, email, '/console', browser)
    expect(pageOf(started.callback)).toBe('/u/mfa-challenge')
  })

  it('no other user is asked, until they are given a role', async () => {
    const { email, id } = await addPerson()
    const { jar, callback, finish, browser } = await signInToConsole(server, email)
    keep(jar, (await finish(jar, callback)).cookies)
    expect(await stateOf(jar)).toBe('stranger')
    const added = await submitInPortal(browser, 'factors', { action: 'add' })
    expect(locationOf(added).href).not.toContain('/u/enroll')
    const runtime = (await server.runtime()).within(requestTo('/console'))
    const ticket = await issueTicket(INVITATION, { role: 'auditor' }, runtime)
    await acceptInvitation({ ticket }, { runtime, request: requestTo('/console', jar) })
    expect(await runtime.administrators.find(id)).toMatchObject({ role: 'auditor' })
    expect(await stateOf(jar)).toBe('factor-missing')
    const again = await signInToConsole(server, email, '/console', browser)
    expect(pageOf(again.callback)).toBe('/u/mfa-enroll')
    const { callback: done } = await enrolApp(browser, again.callback)
    keep(again.jar, (await again.finish(again.jar, done)).cookies)
    expect(await stateOf(again.jar)).toBe('in')
  })

  it('who is no administrator any more has no factor, and is not asked', async () => {
    const { id, email } = await addEnrolled()
    await (await server.runtime()).administrators.change(id, null)
    const { callback } = await signInToConsole(server, email)
    expect(new URL(callback).searchParams.has('code')).toBe(true)
  })

  it('other applications ask an administrator for no factor', async () => {
    const { email } = await addEnrolled()
    const browser = server.browser()
    const login = await submitPassword(browser, await beginLogin(browser), email)
    expect(locationOf(login).searchParams.has('code')).toBe(true)
  })

  it('the password alone neither adds a way to sign in nor removes the factor in the account portal', async () => {
    const { id, email } = await addEnrolled()
    const browser = server.browser()
    expect((await enterPortal(browser, email, '/account/factors')).pathname).toBe('/account/factors')
    const factors = await (await server.runtime()).authenticators.list(id)
    const removed = await submitInPortal(browser, 'factors', { action: 'remove', factor: factors[0]?.id ?? '' })
    expect(locationOf(removed).pathname).toBe('/u/mfa-challenge')
    expect(await (await server.runtime()).authenticators.list(id)).toEqual(factors)
    expect((await enterPortal(server.browser(), email, '/account/passkeys')).pathname).toBe('/u/mfa-challenge')
  })
})

it('after the setting is turned on, a session without a factor does not open the console', async () => {
  const { email } = await addPerson('owner')
  await manager.patch('/tenants/settings', { console_second_factor: false })
  server.clock.advance(2)
  const { jar, callback, finish } = await signInToConsole(server, email)
  keep(jar, (await finish(jar, callback)).cookies)
  expect(await stateOf(jar)).toBe('in')
  await manager.patch('/tenants/settings', { console_second_factor: true })
  server.clock.advance(2)
  expect(await stateOf(jar)).toBe('factor-missing')
})

it('a request of the console without its parameters cannot leave out the factor', async () => {
  const { email } = await addPerson('owner')
  const { callback } = await signInToConsole(server, email, '/console')
  const browser = server.browser()
  const query = {
    client_id: CONSOLE_CLIENT,
    response_type: 'code',
    redirect_uri: `${new URL(callback).origin}/console/auth/callback/latchkey`,
    scope: 'openid',
  }
  const state = locationOf(await browser.get('/authorize', { query })).searchParams.get('state') ?? ''
  expect(locationOf(await submitPassword(browser, state, email)).pathname).toBe('/u/mfa-enroll')
  const silent = await browser.get('/authorize', { query: { ...query, prompt: 'none' } })
  expect(locationOf(silent).searchParams.get('error')).toMatch(/required/)
})
