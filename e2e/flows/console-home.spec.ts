// The first page: numbers, charts and what needs attention, for each role what it may read.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, enterAs, panel } from '../support/console'
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
