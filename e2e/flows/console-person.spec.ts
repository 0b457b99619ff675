// One person in the console: why they cannot sign in, where they are signed in, their rights and their history.
import { randomUUID } from 'node:crypto'
import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, enterAs, panel, title } from '../support/console'
import { expectReadable } from '../support/readable'

const FIRST = 'Username-Password-Authentication'

/** The page of a new person. */
async function newPerson(page: Page, browserName = `${randomUUID()}@e2e.test`): Promise<string> {
  await page.goto(`/console/users/new?connection=${FIRST}`)
  await page.getByLabel('E-mail address').fill(browserName)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  return browserName
}

test('a block is found and lifted where the sign-in of a person is checked', async ({ page }) => {
  await enter(page, '/console/users', ADA)
  await newPerson(page)
  await panel(page, 'Access').getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
  const checks = panel(page, 'Why can’t they sign in?')
  await expect(checks).toContainText('keeps this person from signing in')
  await expect(checks).toContainText('An administrator blocked the account.')
  const width = (await checks.getByRole('listitem').first().boundingBox())?.width ?? 0
  expect(width).toBeGreaterThan(300)
  await expectReadable(page, 'console-person-sign-in')
  await checks.getByRole('button', { name: 'Unblock' }).click()
  await expect(checks).toContainText('Nothing keeps this person from signing in')
})

test('sessions have the name of their device, and a person is signed out everywhere', async ({ page, browser }) => {
  const other = await enterAs(browser, 'Auditor')
  await enter(page, '/console/administrators', ADA)
  await page.goto('/console/users')
  await newPerson(page)
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await expect(panel(page, 'Sessions').getByRole('button', { name: 'Sign out everywhere' })).toBeVisible()
  await panel(page, 'Sessions').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('Done.')).toBeVisible()
  await other.context().close()
})

test('rights and history are pages of the person', async ({ page }) => {
  await enter(page, '/console/users', ADA)
  const email = await newPerson(page)
  await page.getByRole('link', { name: 'Rights', exact: true }).click()
  await expect(panel(page, 'Organizations')).toBeVisible()
  await expectReadable(page, 'console-person-rights')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(title(page, email)).toBeVisible()
  await expect(panel(page, 'Changes to this account').getByRole('row').filter({ hasText: 'created' })).toBeVisible()
  await expect(panel(page, 'Everything that is stored')).toBeVisible()
  await expectReadable(page, 'console-person-history')
})

test('user support checks a sign-in, and an auditor changes nothing there', async ({
  browser,
}: {
  browser: Browser
}) => {
  const support = await enterAs(browser, 'User support')
  await support.goto('/console/users')
  await support.getByRole('row').nth(1).getByRole('link').first().click()
  await support.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await expect(panel(support, 'Why can’t they sign in?')).toBeVisible()
  await support.context().close()
  const auditor = await enterAs(browser, 'Auditor')
  await auditor.goto('/console/users')
  await auditor.getByRole('row').nth(1).getByRole('link').first().click()
  await auditor.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await expect(panel(auditor, 'Why can’t they sign in?')).toBeVisible()
  await expect(auditor.getByRole('button', { name: /Sign out everywhere|Unlink|Revoke|Lift/ })).toHaveCount(0)
  await auditor.context().close()
})

test('what would happen is answered step by step, and leads to what stops it', async ({ page }) => {
  await enter(page, '/console/users', ADA)
  await newPerson(page)
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await panel(page, 'Why can’t they sign in?').getByRole('link', { name: 'Step by step for an application' }).click()
  const question = panel(page, 'What would happen if they signed in?')
  await pick(question, 'Application', 'demo-web')
  await question.getByRole('button', { name: 'Show' }).click()
  await expect(panel(page, 'The answer')).toContainText('The person would be signed in.')
  await expect(page.getByText('Tokens by authorization_code')).toBeVisible()
  await expectReadable(page, 'console-person-preview')
  await question.getByLabel('Protocol').selectOption('SAML')
  await question.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('Tokens by saml')).toBeVisible()
  await page.getByText('Tokens by saml').click()
  await expect(page.getByRole('table', { name: 'Assertion' })).toContainText('claims/nameidentifier')

  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await panel(page, 'Access').getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Preview a login', exact: true }).click()
  await pick(question, 'Application', 'demo-web')
  await question.getByRole('button', { name: 'Show' }).click()
  const answer = panel(page, 'The answer')
  await expect(answer).toContainText('The person would not be signed in.')
  await expect(answer).toContainText('user_blocked')
  await expect(page.getByRole('cell', { name: 'Block', exact: true }).first()).toBeVisible()
  await expectReadable(page, 'console-person-preview-refused')
  await answer.getByRole('link', { name: 'Open the setting of the user' }).click()
  await expect(page).toHaveURL(/#access$/)
  await expect(panel(page, 'Access')).toBeInViewport()
})

test('the preview works without JavaScript, and is closed to a role that reads no logins', async ({ browser }) => {
  const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await enter(bare, '/console/users', ADA)
  await bare.getByRole('row').nth(1).getByRole('link').first().click()
  await bare.getByRole('link', { name: 'Preview a login', exact: true }).click()
  await bare.getByLabel('Application').fill('demo-web')
  await bare.getByRole('button', { name: 'Show' }).click()
  await expect(panel(bare, 'The answer')).toBeVisible()
  const editor = await enterAs(browser, 'Application editor')
  expect((await editor.goto('/console/users/auth0%7Cnone/preview'))?.status()).toBeGreaterThanOrEqual(403)
  await expect(editor.getByLabel('Application')).toHaveCount(0)
})

test('permissions are chosen from an API, given and taken back', async ({ page }) => {
  await enter(page, '/console/users', ADA)
  await newPerson(page)
  await page.getByRole('link', { name: 'Rights', exact: true }).click()
  await page.waitForURL('**/rights')
  await page.reload()
  const permissions = panel(page, 'Permissions')
  const apis = permissions.getByLabel('API')
  const [name = ''] = (await apis.locator('option').allTextContents()).filter((each) => each.includes('Management'))
  await apis.selectOption({ label: name })
  await permissions.getByRole('button', { name: 'Show its permissions' }).click()
  await expect(page).toHaveURL(/api=/)
  await permissions
    .getByRole('checkbox', { name: /^read:clients/ })
    .first()
    .check()
  await permissions.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(permissions.getByRole('listitem').filter({ hasText: 'read:clients' }).first()).toBeVisible()
  await permissions.getByRole('button', { name: 'Remove' }).first().click()
  await expect(page.getByText('Deleted.')).toBeVisible()
})

test('another account is found, compared and linked after its name was typed', async ({ page }) => {
  await enter(page, '/console/users', ADA)
  const verified = async (): Promise<string> => {
    const email = await newPerson(page)
    await page.getByLabel('The address is verified').check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await expect(page.getByText('Saved.')).toBeVisible()
    return email
  }
  const other = await verified()
  await verified()
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await page.getByRole('link', { name: 'Link another account' }).click()
  await page.getByRole('searchbox', { name: 'The other user' }).fill(other)
  await page.getByRole('link', { name: 'Compare' }).click()
  const preview = panel(page, 'What happens')
  await expect(preview).toContainText('Username-Password-Authentication')
  await expectReadable(page, 'console-person-link')
  await preview.getByRole('textbox').fill('someone else')
  await preview.getByRole('button', { name: 'Link the accounts' }).click()
  await expect(preview.getByRole('alert')).toBeVisible()
  await preview.getByRole('textbox').fill(other)
  await preview.getByRole('button', { name: 'Link the accounts' }).click()
  await expect(panel(page, 'Accounts').getByRole('button', { name: 'Unlink' })).toBeVisible()
})

/** Finds an object by its name and picks it. */
async function pick(within: Locator, label: string, name: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).pressSequentially(name)
  await within.getByRole('option', { name }).click()
}
