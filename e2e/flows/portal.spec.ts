// The account portal: signed in to by the tenant's own login; a second factor added, asked for, lost and removed; another browser
// signed out; the deletion of the account withdrawn by the link of the mail about it.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { MfaPage } from '../screens/mfa-page'
import { PortalPage } from '../screens/portal-page'
import { codeTo, messagesTo } from '../support/outbox'

const { porter } = PEOPLE
const REPEAT = 'You have signed in again. Now repeat what you wanted to do.'

test.slow()

/** The tenant has several databases, so the address names that of the user. */
async function enter(page: Page, path: string): Promise<void> {
  await page.goto(`${path}?connection=People`)
  await new LoginPage(page).signIn(porter.email)
}

test('a second step is added, asked for, lost and removed, and the account is kept after all', async ({
  browser,
  context,
  page,
}) => {
  const portal = new PortalPage(page)
  const mfa = new MfaPage(page)
  await enter(page, '/account')
  await portal.expectShown('Profile')

  // The verified address is a factor in this tenant.
  await portal.open('Second steps')
  await portal.press('Add a second step')
  await portal.press('Send the code')
  await mfa.enter(await codeTo(porter.email))
  await portal.expectNotice(REPEAT)
  await portal.press('Add a second step')
  await mfa.choose('Authenticator app')
  const phone = await mfa.scan()
  await mfa.enter(phone.next())
  const recoveryCode = await mfa.keepRecoveryCode()
  await mfa.expectTitle('Your second step is set up')

  await context.clearCookies()
  await enter(page, '/account/passkeys')
  await mfa.expectTitle('Confirm that it’s you')
  await mfa.enter(phone.next())
  await portal.expectShown('Passkeys')

  await context.clearCookies()
  await enter(page, '/account/factors')
  await mfa.chooseOther('Recovery code')
  await mfa.enter(recoveryCode)
  await mfa.keepRecoveryCode()
  await portal.pressAt('Authenticator app', 'Remove')
  await expect(portal.items.filter({ hasText: 'Authenticator app' })).toHaveCount(0)

  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await enter(elsewhere, '/account')
  await new PortalPage(elsewhere).expectShown('Profile')
  await portal.open('Where you are signed in')
  await portal.pressAt('Another browser (2)', 'Sign out')
  await elsewhere.reload()
  await new LoginPage(elsewhere).expectShown()
  await other.close()

  await portal.open('Your data')
  await portal.press('Delete my account')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  const linkOfMail = async () =>
    (await messagesTo(porter.email)).find(({ subject }) => subject.includes('deleted'))?.link
  await expect.poll(linkOfMail).toBeTruthy()
  await page.goto((await linkOfMail()) ?? '')
  await portal.press('Keep my account')
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible()
})
