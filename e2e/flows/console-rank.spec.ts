// What is above an administrator of the console: shown, and not changed. And the last owner, who stays one.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA, PEOPLE } from '../people'
import { MfaPage } from '../screens/mfa-page'
import { PortalPage } from '../screens/portal-page'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, sections, title } from '../support/console'
import { codeTo } from '../support/outbox'

test.slow()

const LAST = 'This would leave no owner of the console who can sign in.'

const buttons = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button')
    .filter({ hasNotText: /^(Copy|Find)$/ })

async function openUser(page: Page, name: string): Promise<void> {
  await page.goto(`/console/users?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).click()
  await expect(title(page, name)).toBeVisible()
}

test('every role opens each section that it sees', async ({ browser }) => {
  for (const role of ['Admin', 'Application editor', 'User support', 'Auditor']) {
    const page = await enterAs(browser, role)
    const names = await sections(page).getByRole('link').allTextContents()
    for (const name of names.slice(1)) {
      await sections(page).getByRole('link', { name, exact: true }).click()
      await expect(title(page, name), `${name} of the role ${role}`).toBeVisible()
    }
    await page.context().close()
  }
})

test('user support looks at the account of an owner, and gives no rights to anybody', async ({ browser }) => {
  const page = await enterAs(browser, 'User support')
  await openUser(page, ADA.name)
  await expect(page.getByText('This account has rights over the server')).toBeVisible()
  await expect(buttons(page)).toHaveCount(0)
  await expectAccessible(page, 'an account above user support')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)

  await openUser(page, PEOPLE.nora.name)
  await expect(page.getByText('This account has rights over the server')).toHaveCount(0)
  await expect(panel(page, 'Access').getByRole('button', { name: 'Block', exact: true })).toBeVisible()
  const metadata = panel(page, 'Metadata')
  await expect(metadata.getByLabel('User metadata')).toBeVisible()
  await expect(metadata.getByText('App metadata')).toBeVisible()
  await expect(metadata.getByRole('textbox')).toHaveCount(1)
  await page.getByRole('link', { name: 'Rights' }).click()
  await expect(panel(page, 'Roles')).toBeVisible()
  await expect(panel(page, 'Roles').getByRole('button')).toHaveCount(0)
  await page.context().close()
})

test('an admin reads what owners alone change', async ({ browser }) => {
  const page = await enterAs(browser, 'Admin')
  for (const path of [
    '/console/connections',
    '/console/settings/domains',
    '/console/security/keys',
    '/console/administrators',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(buttons(page), path).toHaveCount(0)
  }
  await page.goto('/console/connections')
  await expect(page.getByRole('link', { name: 'New connection' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Username-Password-Authentication' }).click()
  await expect(page.getByText('Your role may look at this').first()).toBeVisible()
  // A link to a test changes nothing of the connection.
  const links = panel(page, 'Links for others to test it').getByRole('button')
  await expect(links.filter({ hasText: 'Make a link' })).toBeVisible()
  await expect(buttons(page)).toHaveCount(await links.count())
  await page.goto('/console/settings')
  await expect(panel(page, 'Administrators').getByText('Your role may look at this')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Save' })).toBeVisible()
  await openUser(page, ADA.name)
  await expect(buttons(page)).toHaveCount(0)
  await page.context().close()
})

test('the last owner stays one, whatever the console or the account portal is asked', async ({ page }) => {
  await enter(page, '/console/administrators', ADA)
  const own = panel(page, ADA.name)
  await own.getByRole('button', { name: 'Remove' }).click()
  await expect(own.getByRole('alert')).toContainText(LAST)
  await own.getByLabel('Role').selectOption('Auditor')
  await own.getByRole('button', { name: 'Change role' }).click()
  await expect(own.getByRole('alert').first()).toContainText(LAST)
  await expectAccessible(page, 'administrators with a refusal')
  await openUser(page, ADA.name)
  const access = panel(page, 'Access')
  await access.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(access.getByRole('alert')).toContainText(LAST)

  const portal = new PortalPage(page)
  await page.goto('/account/data')
  await portal.expectShown('Your data')
  await portal.press('Delete my account')
  // The verified address is a factor in this tenant.
  await portal.press('Send the code')
  await new MfaPage(page).enter(await codeTo(ADA.email))
  await portal.expectShown('Your data')
  await portal.press('Delete my account')
  await portal.press('Yes, delete my account')
  await portal.expectNotice('this is the only account that can manage this server')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toHaveCount(0)
  await expectAccessible(page, 'a deletion that is refused')
  await page.goto('/console')
  await expect(sections(page)).toBeVisible()
})
