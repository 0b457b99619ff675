// Objects in forms by their names: found while a person types, and resolved by the server where no script runs.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, panel, title } from '../support/console'

test.slow()

async function makeUser(page: Page, email: string): Promise<void> {
  await page.goto('/console/users/new?connection=Username-Password-Authentication')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
}

async function makeRole(page: Page): Promise<string> {
  const name = `Pilot ${randomUUID()}`
  await page.goto('/console/roles/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  return new URL(page.url()).pathname
}

test('a role is given to people who are found by typing, with the keyboard alone', async ({ page }) => {
  await enter(page, '/console/roles', ADA)
  const name = `pilot-${randomUUID().slice(0, 8)}`
  for (const place of ['one', 'two']) await makeUser(page, `${name}-${place}@e2e.test`)
  await makeRole(page)
  const holders = panel(page, 'Users')
  const box = holders.getByRole('combobox')
  await box.focus()
  await box.pressSequentially(name)
  await expect(holders.getByRole('option')).toHaveCount(2)
  await expectAccessible(page, 'a list of people who may be meant')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(holders.getByRole('button', { name: /^Remove pilot/ })).toHaveCount(1)
  await box.pressSequentially(`${name}-one`)
  await expect(holders.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await holders.getByRole('button', { name: 'Give the role' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(holders.getByRole('link', { name: `${name}-one@e2e.test` })).toBeVisible()
  await expect(holders.getByRole('button', { name: /^Remove pilot/ })).toHaveCount(0)
})

test('a permission is chosen by the name of its API', async ({ page }) => {
  await enter(page, '/console/roles', ADA)
  await makeRole(page)
  const permissions = panel(page, 'Permissions')
  await permissions.getByRole('button', { name: 'Add a row' }).click()
  await permissions.getByRole('combobox').pressSequentially('Management')
  await permissions.getByRole('option').first().click()
  await permissions.getByLabel('Permission', { exact: true }).fill('read:users')
  await permissions.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(permissions.getByText('read:users')).toBeVisible()
})

test('without JavaScript an address is enough, and a name of several is refused with all of them', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/roles', ADA)
  const name = `mate-${randomUUID().slice(0, 8)}`
  for (const place of ['one', 'two']) await makeUser(page, `${name}-${place}@e2e.test`)
  await makeRole(page)
  const holders = panel(page, 'Users')
  await holders.getByLabel('Users').fill(name)
  await holders.getByRole('button', { name: 'Give the role' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText(`${name}-one@e2e.test`)
  await expect(alert).toContainText(`${name}-two@e2e.test`)
  await expect(holders.getByLabel('Users')).toHaveValue(name)
  await holders.getByLabel('Users').fill(`${name}-two@e2e.test`)
  await holders.getByRole('button', { name: 'Give the role' }).click()
  await expect(holders.getByRole('link', { name: `${name}-two@e2e.test` })).toBeVisible()
  await context.close()
})
