// The first page: numbers, charts and what needs attention, for each role what it may read.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, enterAs, panel, title } from '../support/console'
import { ageSecret } from '../support/database'
import { expectReadable } from '../support/readable'

test('charts are drawn by application and connection, with their numbers as a table', async ({ page }) => {
  await enter(page, '/console', ADA)
  const charts = panel(page, 'Over time')
  await expect(charts.getByRole('figure')).toHaveCount(4)
  await charts.getByRole('link', { name: 'By connection' }).click()
  await expect(charts.getByRole('link', { name: 'By connection' })).toHaveAttribute('aria-current', 'true')
  await charts.getByRole('link', { name: '24 hours' }).click()
  await expect(page).toHaveURL(/range=24h&by=connection/)
  const logins = charts.getByRole('figure').first()
  await logins.getByText('Numbers').click()
  // Ada has just signed in.
  await expect(logins.getByRole('row')).toHaveCount(25)
  const names = await logins.getByRole('columnheader').allTextContents()
  const cells = await logins.getByRole('row').last().getByRole('cell').allTextContents()
  expect(names).toContain('Username-Password-Authentication')
  expect(cells.map(Number).reduce((total, each) => total + each, 0)).toBeGreaterThan(0)
  await expect(page.getByText('Logins in 15 minutes', { exact: true })).toBeVisible()
  await expectReadable(page, 'console-home')
})

test('the last minutes follow while the page is looked at', async ({ page }) => {
  await enter(page, '/console', ADA)
  const answer = await page.waitForResponse((each) => new URL(each.url()).pathname === '/console/now', {
    timeout: 40_000,
  })
  expect(answer.status()).toBe(200)
  const { minutes, today } = await answer.json()
  expect(Object.keys(minutes)).toEqual(['logins', 'signups', 'failures'])
  expect(Object.keys(today)).toEqual(['logins', 'signups', 'failures'])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the charts are there', async ({ page }) => {
    await enter(page, '/console?range=7d&by=application', ADA)
    const figure = panel(page, 'Over time').getByRole('figure').first()
    await expect(figure.locator('path').first()).toHaveAttribute('d', /^M/)
    await expect(figure.getByText('Numbers')).toBeVisible()
  })
})

test('an auditor sees the numbers, an application editor none', async ({ browser }) => {
  const auditor = await enterAs(browser, 'Auditor')
  await auditor.goto('/console')
  await expect(panel(auditor, 'Over time')).toBeVisible()
  await auditor.context().close()
  const editor = await enterAs(browser, 'Application editor')
  await editor.goto('/console')
  await expect(editor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(panel(editor, 'Over time')).toHaveCount(0)
  expect((await editor.request.get('/console/now')).status()).toBe(403)
  await editor.context().close()
})

test('a secret that was not changed for a year is named, to who may change it, until it is changed', async ({
  browser,
  page,
}) => {
  await enter(page, '/console/applications/new', ADA)
  await page.getByLabel('Name', { exact: true }).fill('Old Lock')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(title(page, 'Old Lock')).toBeVisible()
  const clientId = new URL(page.url()).pathname.split('/').at(3) ?? ''
  await page.goto('/console')
  const warning = 'The secret of Old Lock was not changed for 400 days'
  await expect(page.getByRole('link', { name: 'All logs' })).toBeVisible()
  await expect(page.getByText(warning)).toHaveCount(0)
  await ageSecret(clientId, 400)
  await page.goto('/console')
  await panel(page, 'Soon').getByRole('link', { name: warning }).click()
  await expect(panel(page, 'Client secret').getByRole('button', { name: 'Make a new secret' })).toBeVisible()

  const support = await enterAs(browser, 'User support')
  await support.goto('/console')
  await expect(support.getByText(warning)).toHaveCount(0)
  await support.context().close()

  await panel(page, 'Client secret').getByRole('button', { name: 'Make a new secret' }).click()
  await expect(page.locator('.co-secret')).toBeVisible()
  await page.goto('/console')
  await expect(page.getByRole('link', { name: 'All logs' })).toBeVisible()
  await expect(page.getByText(warning)).toHaveCount(0)
})
