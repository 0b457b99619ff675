// The main flows of the hosted pages in browser engines that Playwright does not drive in their released form: Debian's Firefox
// and WebKitGTK. Selectors refer to form fields, not to the appearance of pages.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../doubles/app'
import { type DataDir, makeDataDir } from '../interop/support/data-dir'
import { type ServerProcess, startServer } from '../interop/support/server-process'
import { TENANT } from '../interop/support/tenant'
import { appOrigins, appPort, SERVER, SERVER_PORT, TENANT_VARIABLES } from '../origins'
import { PASSWORD, PEOPLE } from '../people'
import type { Browser } from './browsers/browser'
import { openFirefox } from './browsers/firefox'
import { openWebKit } from './browsers/webkit'
import { recordFigures } from './figures'

const APP = appOrigins(0).sameSite
const NEW_PASSWORD = 'Lantern over the harbour 7'

const ENGINES: { part: string; open: () => Promise<Browser>; scripted: boolean }[] = [
  { part: 'firefox', open: () => openFirefox(), scripted: true },
  { part: 'firefox-plain', open: () => openFirefox({ javaScript: false }), scripted: false },
  { part: 'webkit', open: openWebKit, scripted: true },
]

let data: DataDir
let server: ServerProcess
let app: RunningApp

beforeAll(async () => {
  data = await makeDataDir()
  app = await startApp(appPort(0))
  const settings = { ...TENANT, ...TENANT_VARIABLES, LATCHKEY_DATA_DIR: data.path, LATCHKEY_DEV_OUTBOX: '1' }
  server = await startServer({ ...settings, APP_URL: SERVER }, SERVER_PORT)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await app?.close()
  await data?.remove()
})

async function codeTo(address: string): Promise<string> {
  let code: string | null = null
  await expect
    .poll(async () => {
      const answer = await fetch(`${SERVER}/dev/outbox.json?${new URLSearchParams({ to: address })}`)
      code = ((await answer.json()) as { code: string | null }[])[0]?.code ?? null
      return code
    })
    .not.toBeNull()
  return code ?? ''
}

describe.each(ENGINES.map((engine) => [engine.part, engine] as const))('%s', (part, { open, scripted }) => {
  let browser: Browser

  beforeAll(async () => {
    browser = await open()
    recordFigures(part, { host: browser.name, version: browser.version })
  })
  afterAll(() => browser?.close())

  /** A separate address for each engine, because a test changes its user's data. */
  const mine = (name: string): string => `${name}.${part}@hosts.test`
  const send = (value: string): Promise<void> => browser.click(`button[name=action][value="${value}"]`)
  /** If a page is about to be replaced, the question is repeated. */
  const expectText = (text: string | RegExp): Promise<void> =>
    expect.poll(() => browser.text().catch(() => '')).toMatch(text)

  async function begin(client: string, parameters: Record<string, string> = {}): Promise<void> {
    await browser.clearCookies()
    await browser.goto(`${APP}/login?${new URLSearchParams({ app: client, ...parameters })}`)
  }

  async function signIn(email: string, password = PASSWORD): Promise<void> {
    await expectText('Sign in')
    await browser.fill('input[name=username]', email)
    await browser.fill('input[name=password]', password)
    await send('login')
  }

  async function signUp(client: string, email: string): Promise<void> {
    await begin(client)
    await expectText('Create an account')
    await browser.click('a[href*="/u/signup"]')
    await expectText('Create account')
    await browser.fill('input[name=email]', email)
    await browser.fill('input[name=password]', NEW_PASSWORD)
    await send('sign-up')
  }

  it('signs in after a wrong password, and out', async () => {
    const { kim } = PEOPLE
    await begin('spa')
    await signIn(kim.email, 'not the one')
    await expectText('These details don’t match any account')
    await signIn(kim.email)
    await expectText(`Hello, ${kim.name}`)
    const back = new URLSearchParams({ client_id: 'e2e-spa', returnTo: `${APP}/bye` })
    await browser.goto(`${SERVER}/v2/logout?${back}`)
    await expectText('Goodbye')
    await browser.goto(`${APP}/login?app=spa&prompt=none`)
    await expectText('login_required')
  })

  it('signs up', async () => {
    const email = mine('new')
    await signUp('spa', email)
    await expectText(`Hello, ${email}`)
  })

  it('asks for consent for a third-party app', async () => {
    const email = mine('consent')
    await signUp('third', email)
    await expectText('Night Owl asks for access')
    await send('accept')
    await expectText(`Hello, ${email}`)
  })

  it('enrolls an authenticator app', async () => {
    const email = mine('factor')
    await signUp('strong', email)
    await expectText('Set up a second step')
    await browser.click('form:has(input[name=factor][value=otp]) button')
    await expectText(/[A-Z2-7]{4}/)
    const secret = /(?:[A-Z2-7]{4} ?){8}/.exec(await browser.text())?.[0] ?? ''
    await browser.fill('input[name=code]', new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await send('mfa-confirm')
    await expectText('Save your recovery code')
  })

  it('signs in by a code that is sent', async () => {
    const email = mine('code')
    await begin('bottle')
    await browser.fill('input[name=address]', email)
    await send('send-code')
    await expectText('Enter the code')
    await browser.fill('input[name=code]', await codeTo(email))
    await send('check-code')
    await expectText(`Hello, ${email}`)
  })

  it('hands the answer over by form_post', async () => {
    await begin('spa', { response_mode: 'form_post' })
    await signIn(PEOPLE.kim.email)
    if (!scripted) {
      await expectText('Continue')
      await browser.click('button')
    }
    await expectText(`Hello, ${PEOPLE.kim.name}`)
  })

  it('reports no errors on the console', () => {
    expect(browser.errors() ?? []).toEqual([])
  })
})
