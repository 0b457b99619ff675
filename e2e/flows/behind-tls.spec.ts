// Production behind a proxy that ends TLS: the server listens for plain http, and its public URL is https. Nothing that the console does
// may need the server to reach itself by that URL.
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { freePort } from '../../lib/testing/free-port.mjs'
import { test } from '../fixtures'
import { runCommand, type ServerProcess, startServer } from '../interop/support/server-process'
import { type SharedDatabase, shareDatabase } from '../interop/support/shared-database'
import { startTlsFront, type TlsFront } from '../interop/support/tls-front'
import { LoginPage } from '../screens/login-page'
import { MfaPage } from '../screens/mfa-page'
import { panel, sections, title } from '../support/console'
import { virtualAuthenticator } from '../support/virtual-authenticator'

test.slow()
test.describe.configure({ mode: 'serial' })

const OWNER = { email: 'owner@e2e.test', password: 'a quiet harbour in winter' }

let database: SharedDatabase
let front: TlsFront
let server: ServerProcess
let context: BrowserContext
let page: Page
/** The link that makes the first owner. */
let link: string

test.beforeAll(async ({ browser }) => {
  database = await shareDatabase()
  const [port, inside] = [await freePort(), await freePort()]
  const { DATABASE_URL = '', LATCHKEY_SECRET = '', LATCHKEY_HOST = '' } = database.settings
  const settings = {
    ...{ DATABASE_URL, LATCHKEY_SECRET, LATCHKEY_HOST },
    APP_URL: `https://localhost:${port}`,
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  server = await startServer(settings, inside)
  front = await startTlsFront(port, inside)
  const invited = await runCommand(['admin', 'invite', '--role', 'owner'], settings)
  link = /https:\S+/.exec(invited)?.[0] ?? ''
  context = await browser.newContext({ ignoreHTTPSErrors: true })
  page = await context.newPage()
})

test.afterAll(async () => {
  await context?.close()
  await front?.close()
  await server?.end('SIGTERM')
  await database?.remove()
})

test('before there is an owner, the console names the command that makes one', async () => {
  await page.goto(new URL('/console', link).href)
  await expect(title(page, 'This console has no owner yet')).toBeVisible()
  await expect(page.getByText('npm run admin -- invite --role owner')).toBeVisible()
})

test('the first owner makes an account and is in the console', async () => {
  const mfa = new MfaPage(page)
  await page.goto(link)
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Make the account and sign in' }).click()
  await expect(page.getByText('Password is too weak')).toContainText('At least 8 characters')
  await expect(page.getByLabel('E-mail address')).toHaveValue(OWNER.email)
  await page.getByLabel('Password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Make the account and sign in' }).click()
  await mfa.expectTitle('Set up a second step')
  await mfa.choose('Authenticator app')
  const phone = await mfa.scan()
  await mfa.enter(phone.next())
  await mfa.keepRecoveryCode()
  await expect(sections(page)).toBeVisible()
  await expect(page).toHaveURL((url) => url.protocol === 'https:' && url.pathname === '/console')
})

test('forms of the console lead on', async () => {
  const sent: string[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST') sent.push(response.headers()['x-action-redirect'] ?? 'none')
  })
  await page.goto(new URL('/console/roles/new', link).href)
  await page.getByLabel('Name').fill('Harbour master')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, 'Harbour master')).toBeVisible()
  const basics = panel(page, 'Basics')
  for (const description of ['of the north harbour', 'of the south harbour']) {
    await basics.getByLabel('Description').fill(description)
    await page.getByRole('button', { name: 'Save' }).click()
    // The notice of the first save stays until the second has loaded the page again; what is stored does not.
    await expect(page.getByRole('definition').filter({ hasText: description })).toBeVisible()
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(basics.getByLabel('Description')).toHaveValue(description)
  }
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('[data-theme="dark"]')).toBeVisible()
  // With this header Next would have looked up the next page at its own public address.
  expect(sent).toEqual(['none', 'none', 'none', 'none'])
})

test('an invitation is accepted, once', async () => {
  await page.goto(new URL('/console/administrators', link).href)
  await panel(page, 'Invite').getByLabel('Role').selectOption('owner')
  await panel(page, 'Invite').getByRole('button', { name: 'Make a link' }).click()
  await expect(page.locator('.co-secret')).toBeVisible()
  const invitation = (await page.locator('.co-secret').textContent()) ?? ''
  await page.goto(invitation)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(sections(page)).toBeVisible()
  await page.goto(invitation)
  await expect(title(page, 'This invitation is not valid any more')).toBeVisible()
})

test('an owner who lost the factor gets in again by a command of the operator, and sets up a security key', async ({
  browser,
}) => {
  const { DATABASE_URL = '', LATCHKEY_SECRET = '' } = database.settings
  const said = await runCommand(['admin', 'reset-factor', OWNER.email], { DATABASE_URL, LATCHKEY_SECRET })
  expect(said).toContain('/console')
  const own = await browser.newContext({ ignoreHTTPSErrors: true })
  const entering = await own.newPage()
  const keys = await virtualAuthenticator(entering, { transport: 'usb' })
  const mfa = new MfaPage(entering)
  await entering.goto(new URL('/console', link).href)
  await new LoginPage(entering).signIn(OWNER.email, OWNER.password)
  await mfa.choose('Security key')
  await entering.getByRole('button', { name: 'Continue' }).click()
  await mfa.keepRecoveryCode()
  await expect(sections(entering)).toBeVisible()
  expect(await keys.credentials()).toHaveLength(1)
  await own.close()
})

test('a form whose session has ended leads to the login page', async () => {
  await page.goto(new URL('/console/roles/new', link).href)
  await page.getByLabel('Name').fill('Unsaved role')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/u/login')
})

test('the server logs no failure', () => {
  expect(server.output().match(/^.*(?:⨯|Error|failed).*$/gim) ?? []).toEqual([])
})
