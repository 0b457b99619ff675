// The settings of the tenant in the console: changed by an admin, without JavaScript too, shown to an auditor, and closed to others.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, sections, title } from '../support/console'

// One after the other: a change of the settings makes the other forms stale.
test.describe.configure({ mode: 'default' })
test.slow()

test('an admin changes settings, and hears of a wrong value and of a change by someone else', async ({ browser }) => {
  const page = await enterAs(browser, 'Admin')
  await sections(page).getByRole('link', { name: 'Settings' }).click()
  await expect(title(page, 'Settings')).toBeVisible()
  await expectAccessible(page, 'the settings')
  const basics = panel(page, 'Name and support')
  const address = basics.getByLabel('Support address')
  const save = basics.getByRole('button', { name: 'Save' })
  await address.fill('no address')
  await save.click()
  await expect(basics.getByRole('alert')).toContainText('Support address')
  const other = await page.context().newPage()
  await other.goto('/console/settings')
  await address.fill('help@e2e.test')
  await save.click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(address).toHaveValue('help@e2e.test')

  const accounts = panel(other, 'Accounts')
  await accounts.getByLabel('Deleting accounts').selectOption('14 days')
  await accounts.getByRole('button', { name: 'Save' }).click()
  await expect(accounts.getByRole('alert')).toContainText('Somebody else changed this')
  await accounts.getByRole('link', { name: 'Load again' }).click()
  await expect(panel(other, 'Name and support').getByLabel('Support address')).toHaveValue('help@e2e.test')
  await expect(accounts.getByLabel('Deleting accounts')).toHaveValue('7')
  await accounts.getByLabel('Deleting accounts').selectOption('14 days')
  await accounts.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Saved.')).toBeVisible()
  await expect(accounts.getByLabel('Deleting accounts')).toHaveValue('14')
  await page.context().close()
})

test('an auditor reads the settings and changes nothing', async ({ browser }) => {
  const page = await enterAs(browser, 'Auditor')
  await page.goto('/console/settings')
  await expect(panel(page, 'Sessions').getByText('Longest session', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'the settings of an auditor')
  await expectNoSidewaysScroll(page)
  await page.context().close()
})

test('an application editor does not see the settings', async ({ browser }) => {
  const page = await enterAs(browser, 'Application editor')
  await expect(sections(page).getByRole('link', { name: 'Settings' })).toHaveCount(0)
  await page.goto('/console/settings')
  await expect(title(page, 'Not part of your role')).toBeVisible()
  await page.context().close()
})

test('without JavaScript, a setting is changed', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/settings', ADA)
  const sessions = panel(page, 'Sessions')
  await sessions.getByLabel('Session without use').fill('70.5')
  await sessions.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(sessions.getByLabel('Session without use')).toHaveValue('70.5')
  await context.close()
})
