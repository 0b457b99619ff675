// A customer's IT, without an account here, tests a SAML connection by a link: sees what is wrong, mends it at the provider, and sees that it works.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { startSamlProvider } from '../doubles/saml-provider'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, enterAs, panel, title } from '../support/console'
import { expectReadable } from '../support/readable'

test.slow()

test('a connection is tested and mended by a link, without an account', async ({ page, browser }) => {
  const name = `saml-${randomUUID().slice(0, 8)}`
  const at = { connection: name, audience: `urn:${name}:wrong` }
  const provider = await startSamlProvider(at)

  await enter(page, '/console/connections/new?strategy=samlp', ADA)
  await page.goto('/console/connections/new?strategy=samlp')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Sign-in address').fill(provider.signInEndpoint)
  await page.getByRole('textbox', { name: /^Certificates of the provider/ }).fill(provider.signingCert)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await expect(title(page, name)).toBeVisible()
  const connection = new URL(page.url()).pathname
  const entityId = `urn:${name}:right`
  await page.getByLabel('Our entity ID').fill(entityId)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  const support = await enterAs(browser, 'user_support')
  await support.goto(connection)
  const links = panel(support, 'Links for others to test it')
  await links.getByLabel('Opens for').selectOption('1')
  await links.getByLabel('Logins').fill('3')
  await links.getByRole('button', { name: 'Make a link' }).click()
  const link = (await links.locator('.co-secret').textContent()) ?? ''
  expect(link).toMatch(/\/shared-login\/[\w-]{43}$/)

  const reader = await (await browser.newContext()).newPage()
  expect((await reader.goto(link))?.status()).toBe(200)
  await expect(title(reader, 'Test a login')).toBeVisible()
  await expect(reader.getByText(name, { exact: true })).toBeVisible()
  await expectReadable(reader, 'shared-test')
  await reader.goto(`${link}?ui_locales=ar`)
  await expect(title(reader, 'اختبار تسجيل الدخول')).toBeVisible()
  await expectReadable(reader, 'shared-test-arabic')

  await begin(reader, link)
  await expect(reader.getByRole('heading', { name: 'The login failed' })).toBeVisible()
  await expect(reader.getByText('upstream_audience')).toBeVisible()
  await expect(reader.getByText(at.audience).first()).toBeVisible()
  await expectReadable(reader, 'shared-test-failed')

  at.audience = entityId
  const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await begin(bare, link)
  await expect(bare.getByRole('heading', { name: 'The login succeeded' })).toBeVisible()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await expect(title(stranger, 'Test a login')).toBeVisible()
  await expect(stranger.getByRole('heading', { name: 'The login succeeded' })).toHaveCount(0)

  await support.goto('/console/logins/links')
  await expect(title(support, 'Logins')).toBeVisible()
  const row = support.getByRole('row').filter({ hasText: name })
  await expect(row.getByText('2 of 3 logins started')).toBeVisible()
  await expect(row.getByText('Succeeded')).toBeVisible()
  await expectReadable(support, 'console-links')
  await row.getByRole('link', { name: '2 of 3 logins started' }).click()
  await expect(support.locator('.co-table tbody tr')).toHaveCount(2)
  await expect(support.getByText('upstream_audience').first()).toBeVisible()

  const auditor = await enterAs(browser, 'auditor')
  await auditor.goto('/console/logins/links')
  const seen = auditor.getByRole('row').filter({ hasText: name })
  await expect(seen).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Withdraw' })).toHaveCount(0)
  await auditor.goto(connection)
  await expect(panel(auditor, 'Links for others to test it').getByRole('button')).toHaveCount(0)

  await support.goto('/console/logins/links')
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await expect(row).toHaveCount(0)
  expect((await reader.goto(link))?.status()).toBe(400)
  await expect(title(reader, 'This link no longer works')).toBeVisible()
  provider.close()
})

/** To the result on the page of the link. Without scripts the forms between the two sides are sent by hand. */
async function begin(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Begin the login' }).click()
  const send = page.getByRole('button', { name: /^(Continue|Go on)$/ })
  const error = page.getByRole('link', { name: 'See the result of the test' })
  const result = page.getByRole('heading', { level: 2, name: /^The login/ })
  await expect(async () => {
    if (await send.isVisible()) await send.click()
    await expect(error.or(result)).toBeVisible({ timeout: 1000 })
  }).toPass()
  if (await error.isVisible()) await error.click()
}

test('an application editor makes no links and sees no list of them', async ({ browser }) => {
  const editor = await enterAs(browser, 'application_editor')
  await editor.goto('/console/applications/e2e-spa')
  await expect(panel(editor, 'Links for others to test it')).toHaveCount(0)
  expect((await editor.goto('/console/logins/links'))?.status()).toBe(403)
})
