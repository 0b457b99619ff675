// Members without effect: on the page of the object that keeps them, and in the entry of the log about the change.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, panel, title } from '../support/console'

test.slow()

test('an owner sees which members of a connection have no effect', async ({ page }) => {
  await enter(page, '/console/connections/new?strategy=auth0', ADA)
  await page.getByLabel('Name', { exact: true }).fill('Kept-members')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await page.getByLabel('Log in').fill('function login() {}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  const kept = panel(page, 'Without effect')
  await expect(kept.getByText('options.customScripts')).toBeVisible()
  await expectAccessible(page, 'a connection with members without effect')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)

  await page.goto('/console/logs')
  const made = page.getByRole('row').filter({ hasText: /changed .*Kept-members/ })
  await made.getByRole('link').first().click()
  await expect(panel(page, 'Without effect').getByText('options.customScripts')).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('an object without such members has no list of them', async ({ page }) => {
  await enter(page, '/console/applications/demo-web', ADA)
  await expect(title(page, 'Demo')).toBeVisible()
  await expect(panel(page, 'Without effect')).toHaveCount(0)
})
