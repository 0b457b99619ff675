// The log of the console: sentences with links, filters in the address, saved views, and what an entry means.
import { randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { LoginPage } from '../screens/login-page'
import { enter, enterAfresh, enterAs, panel, title } from '../support/console'
import { expectReadable } from '../support/readable'

const NAME = `<script>alert(1)</script> ${randomUUID().slice(0, 8)}`

test('a change is a sentence with its actor and object, and its entry shows what changed', async ({ page }) => {
  await enter(page, '/console/roles/new', ADA)
  await page.getByLabel('Name').fill(NAME)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, NAME)).toBeVisible()
  await page.goto('/console/logs')
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await expect(page).toHaveURL(/show=changes/)
  const row = page.getByRole('row').filter({ hasText: NAME })
  await expect(row).toContainText(`created a role: ${NAME}`)
  await expect(row.getByRole('link', { name: NAME })).toBeVisible()
  await row.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(NAME)
  await expect(panel(page, 'What changed').getByText(NAME)).toBeVisible()
  await expectReadable(page, 'console-log-entry')
})

test('a refused login says why and what to do, and failures are found by a filter', async ({ page, browser }) => {
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto('/console')
  const unknown = `nobody-${randomUUID().slice(0, 8)}@e2e.test`
  const login = new LoginPage(stranger, { identifier: 'Email or username' })
  await login.identify(unknown)
  await login.directory.selectOption('Username-Password-Authentication')
  await login.password.fill('a wrong password')
  await login.submit.click()
  await expect(login.problem).toBeVisible()
  await stranger.context().close()
  await enter(page, `/console/logs?show=failures&since=1h&user=${unknown}`, ADA)
  const row = page.getByRole('row').filter({ hasText: unknown })
  await expect(row).toContainText('A login was refused: there is no account of')
  await expectReadable(page, 'console-logs')
  await row.getByRole('link').first().click()
  await expect(panel(page, 'What it means')).toBeVisible()
})

test('filters are saved as a view of this browser', async ({ page }) => {
  await enter(page, '/console/logs?show=failures', ADA)
  await page.getByLabel('Name of this view').fill(NAME)
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.goto('/console/logs')
  const views = page.getByRole('region', { name: 'Saved views' })
  await views.getByRole('link', { name: NAME }).click()
  await expect(page).toHaveURL(/show=failures/)
  await page.getByRole('button', { name: `Remove the view ${NAME}` }).click()
  await expect(views.getByRole('link')).toHaveCount(0)
})

test('the live tail shows what happens in the meantime, and pauses', async ({ page, browser }) => {
  await enter(page, '/console/logs', ADA)
  await page.getByRole('button', { name: 'Follow live' }).click()
  await expect(page.getByText('Waiting for new entries')).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await enterAfresh(other, '/console', ADA)
  await expect(page.getByText(/New entries: \d+/)).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Follow live' })).toBeVisible()
  await other.context().close()
})

test('user support reads what happened to people, and an application editor reads no log', async ({ browser }) => {
  const support = await enterAs(browser, 'user_support')
  await support.goto('/console/logs?show=logins')
  await expect(title(support, 'Logs')).toBeVisible()
  await expect(support.getByRole('row').filter({ hasText: 'signed in to' }).first()).toBeVisible()
  await support.context().close()
  const editor = await enterAs(browser, 'application_editor')
  await editor.goto('/console/logs')
  await expect(title(editor, 'Logs')).toHaveCount(0)
  await editor.context().close()
})
