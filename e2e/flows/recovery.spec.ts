// A recovery, walked as the intruder and as the owner: an account whose address was changed twice, with everything that an intruder can
// attach, goes back to its owner by the first link, and nothing of the intruder opens it.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { AppPage } from '../screens/app-page'
import { LoginPage } from '../screens/login-page'
import { MfaPage } from '../screens/mfa-page'
import { PortalPage } from '../screens/portal-page'
import { NEW_PASSWORD, SignUpPage } from '../screens/sign-up-page'
import { UpstreamPage } from '../screens/upstream-page'
import { codeTo, messagesTo } from '../support/outbox'
import { virtualAuthenticator } from '../support/virtual-authenticator'

const { rosa } = PEOPLE
const FIRST = 'intruder.one@e2e.test'
const SECOND = 'intruder.two@e2e.test'
const KEYS = 'connection=Keyholders'

/** Without suggestions of passkeys, which the device would answer while the login page loads. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

async function enter(page: Page, path: string, email: string, password?: string): Promise<void> {
  await page.goto(`${path}?${KEYS}`)
  await new LoginPage(page).signIn(email, password)
  const skip = page.getByRole('button', { name: 'Not now' })
  await expect(skip.or(page.locator('.portal-head'))).toBeVisible()
  if (await skip.isVisible()) await skip.click()
}

async function changeAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('New email address').fill(address)
  await page
    .locator('form', { has: page.getByLabel('New email address') })
    .getByRole('button')
    .click()
}

async function confirmAddress(page: Page, address: string): Promise<void> {
  await expect(page.getByText(`Enter the code that we sent to ${address}`)).toBeVisible()
  await page.locator('input[name=code]').fill(await codeTo(address))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await new PortalPage(page).expectNotice('Saved.')
}

const linkTo = async (address: string, path: string): Promise<string> => {
  const found = async () => (await messagesTo(address)).find(({ link }) => link?.includes(path))?.link ?? ''
  await expect.poll(found).not.toBe('')
  return found()
}

test.slow()

test('the first link of a changed address takes the account back, and nothing of the intruder opens it', async ({
  browser,
  origins,
  page,
}) => {
  await withoutSuggestions(page)
  await virtualAuthenticator(page)
  const portal = new PortalPage(page)
  const mfa = new MfaPage(page)

  await enter(page, '/account/profile', rosa.email)
  await changeAddress(page, FIRST)
  await portal.press('Send the code')
  await mfa.enter(await codeTo(rosa.email))
  await portal.expectNotice('Now repeat what you wanted to do.')
  await changeAddress(page, FIRST)
  await confirmAddress(page, FIRST)
  await changeAddress(page, SECOND)
  await confirmAddress(page, SECOND)

  await portal.open('Connected accounts')
  await portal.pressAt('Lighthouse', 'Connect')
  await new UpstreamPage(page).arrive('Lighthouse', 'intruder.light@e2e.test')
  await portal.expectNotice('Connected. You can now sign in with it.')
  await portal.open('Passkeys')
  await portal.press('Create a passkey')
  await portal.expectNotice('Saved.')
  await portal.open('Second steps')
  await portal.press('Add a second step')
  await mfa.choose('Authenticator app')
  const phone = await mfa.scan()
  await mfa.enter(phone.next())
  await mfa.keepRecoveryCode()
  await page.goto('/account/data')
  await portal.press('Delete my account')
  await portal.press('Yes, delete my account')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  await portal.open('Where you are signed in')
  await portal.press('Sign out everywhere')
  await new LoginPage(page).expectShown()

  const other = await browser.newContext()
  const owners = await other.newPage()
  const own = new PortalPage(owners)
  await owners.goto(await linkTo(rosa.email, '/u/restore-email'))
  await owners.getByRole('button', { name: 'Undo the change' }).click()
  await expect(owners.getByRole('heading', { name: 'Your email address is back' })).toBeVisible()
  await owners.goto(await linkTo(rosa.email, '/u/reset-password'))
  await new SignUpPage(owners).password.fill(NEW_PASSWORD)
  await owners.getByRole('button', { name: 'Save the password' }).click()
  await expect(owners.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()

  await enter(owners, '/account/profile', rosa.email, NEW_PASSWORD)
  await expect(owners.getByRole('main')).toContainText(rosa.email)
  await own.open('Connected accounts')
  await expect(own.items.filter({ hasText: 'Lighthouse' }).getByRole('button', { name: 'Disconnect' })).toHaveCount(0)
  await own.open('Second steps')
  await expect(own.items.filter({ hasText: 'Authenticator app' })).toHaveCount(0)
  await own.open('Your data')
  await expect(owners.getByRole('button', { name: 'Delete my account' })).toBeVisible()
  await other.close()

  const login = new LoginPage(page)
  for (const address of [rosa.email, FIRST, SECOND]) {
    await page.goto(`/account/profile?${KEYS}`)
    await login.signIn(address)
    await expect(login.problem).toBeVisible()
  }
  await page.goto(`/account/profile?${KEYS}`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(login.problem).toBeVisible()
  const app = new AppPage(page, origins.foreign)
  await app.startLogin('lantern')
  await page.getByRole('button', { name: 'Continue with Lighthouse' }).click()
  await expect(app.fact('sub')).toHaveText(/^google-oauth2\|\d+$/)
})
