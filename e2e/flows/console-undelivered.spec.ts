// A provider of mails that delivers nothing, on a server of its own: with a provider set, the mails of other flows would take its way.
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { freePort } from '../../lib/testing/free-port.mjs'
import { test } from '../fixtures'
import { runCommand, type ServerProcess, startServer } from '../interop/support/server-process'
import { type SharedDatabase, shareDatabase } from '../interop/support/shared-database'
import { MfaPage } from '../screens/mfa-page'
import { panel, sections, title } from '../support/console'
import { expectReadable } from '../support/readable'

test.slow()

const OWNER = { email: 'owner@e2e.test', password: 'a quiet harbour in winter' }

let database: SharedDatabase
let server: ServerProcess
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  database = await shareDatabase()
  const port = await freePort()
  const { DATABASE_URL = '', LATCHKEY_SECRET = '', LATCHKEY_HOST = '' } = database.settings
  const settings = {
    DATABASE_URL,
    LATCHKEY_SECRET,
    LATCHKEY_HOST,
    APP_URL: `http://localhost:${port}`,
    LATCHKEY_ALLOW_PRIVATE_TARGETS: '1',
  }
  server = await startServer(settings, port)
  const invited = await runCommand(['admin', 'invite', '--role', 'owner'], settings)
  context = await browser.newContext({ baseURL: settings.APP_URL })
  page = await context.newPage()
  await page.goto(/http:\S+/.exec(invited)?.[0] ?? '')
})

test.afterAll(async () => {
  await context?.close()
  await server?.end('SIGTERM')
  await database?.remove()
})

test('a mail that the provider refuses is on the home, which leads to the provider', async () => {
  const mfa = new MfaPage(page)
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Make the account and sign in' }).click()
  await mfa.expectTitle('Set up a second step')
  await mfa.choose('Authenticator app')
  await mfa.enter((await mfa.scan()).next())
  await mfa.keepRecoveryCode()
  await expect(sections(page)).toBeVisible()

  await page.goto('/console/providers')
  await page.getByRole('link', { name: 'SMTP' }).click()
  const smtp = panel(page, 'New provider: SMTP')
  await smtp.getByLabel('Sender').fill('Shop <hello@e2e.test>')
  await smtp.getByLabel('Host').fill('localhost')
  await smtp.getByLabel('Port').fill(String(await freePort()))
  await smtp.getByRole('button', { name: 'Set the provider' }).click()
  await expect(panel(page, 'Provider: SMTP')).toBeVisible()

  await page.goto('/console/users/new')
  await page.getByLabel('E-mail address').fill('waits@e2e.test')
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, 'waits@e2e.test')).toBeVisible()

  const warning = panel(page, 'Soon').getByRole('link', {
    name: /^Mails are not delivered: \d+ since .+ refused the connection/,
  })
  await expect(async () => {
    await page.goto('/console')
    await expect(warning).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expectReadable(page, 'console-home-undelivered')
  await warning.click()
  await expect(title(page, 'Messages')).toBeVisible()
  await expect(page.getByText(/^Mails are not delivered: /)).toBeVisible()
  await expect(panel(page, 'Provider: SMTP').getByLabel('Host')).toHaveValue('localhost')
})
