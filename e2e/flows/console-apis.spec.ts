// One API: its settings, permissions, the applications with access, and a test token, as an owner; and as an application editor.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, title } from '../support/console'

test.slow()

test('an owner gives a machine access to an API and tries a token of it', async ({ page }) => {
  const name = `<script>alert(1)</script> ${Date.now()}`
  await enter(page, '/console/applications/new?kind=non_interactive', ADA)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(title(page, name)).toBeVisible()

  await page.goto('/console/apis')
  await expect(panel(page, 'Built in').getByText('The My Account API')).toBeVisible()
  await page.getByRole('link', { name: 'New API' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} API`)
  await page.getByLabel('Audience').fill(`https://stock.example/${Date.now()}`)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, `${name} API`)).toBeVisible()
  const tabs = page.getByRole('navigation', { name: `${name} API` })
  await page.getByLabel('Refresh tokens').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await tabs.getByRole('link', { name: 'Permissions' }).click()
  const permissions = panel(page, 'Permissions')
  await permissions.getByRole('button', { name: 'Add a row' }).click()
  await permissions.getByLabel('Value').fill('read:stock')
  await permissions.getByLabel('Description').fill('See the stock')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await tabs.getByRole('link', { name: 'Test' }).click()
  await page.getByRole('link', { name: 'Give an application access' }).click()
  const access = panel(page, 'Applications with access')
  await access.getByLabel('Application').selectOption({ label: name })
  await access.getByRole('button', { name: 'Add' }).click()
  await access.getByText('Permissions: 0').click()
  await access.getByLabel('read:stock: See the stock').check()
  await access.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(access.getByText('Permissions: 1')).toBeVisible()

  for (const tab of ['Settings', 'Permissions', 'Applications', 'Test']) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page, tab)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  const test = panel(page, 'Test token')
  await test.getByLabel('Application').selectOption({ label: name })
  await test.getByRole('button', { name: 'Issue a test token' }).click()
  await expect(test.getByText('"scope": "read:stock"')).toBeVisible()
  await expect(test.getByText(/^eyJ/)).toBeVisible()
  await expectAccessible(page, 'a test token')
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(page.getByText(/^eyJ/)).toHaveCount(0)
})

test('an API that is built in is explained, and has no test token', async ({ page }) => {
  await enter(page, '/console/apis', ADA)
  await page.getByRole('link', { name: 'Auth0 Management API' }).click()
  await expect(panel(page, 'The Management API')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Test', exact: true })).toHaveCount(0)
  const answer = await page.goto(`${page.url()}/test`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
})

test('user support sees no API', async ({ browser }) => {
  const support = await enterAs(browser, 'user_support')
  const answer = await support.goto('/console/apis')
  expect(answer?.status()).toBe(403)
  await support.context().close()
})
