// Passkeys in Chromium with virtual authenticators: creation, a button, autofill, two of them, a lost one, one that was removed.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import type { AppPage } from '../screens/app-page'
import { MfaPage } from '../screens/mfa-page'
import { PortalPage } from '../screens/portal-page'
import { NEW_PASSWORD, SignUpPage } from '../screens/sign-up-page'
import { newestTo } from '../support/outbox'
import { expectReadable } from '../support/readable'
import { virtualAuthenticator } from '../support/virtual-authenticator'

const { kira, koa, yuki } = PEOPLE
const KEYS = { connection: 'Keyholders' }
const BUTTON = { name: 'Sign in with a passkey' }
const OFFER = { name: 'Sign in without a password?' }

/**
 * The device answers the suggestion while the page loads, so this does not wait for the page. It has to be present beforehand: a
 * request that has reached an absent virtual authenticator is never answered.
 */
const signInBySuggestion = (app: AppPage) => app.page.goto(app.loginUrl('names', KEYS), { waitUntil: 'commit' })

/** From the next page on, as in a browser that has no suggestions of passkeys. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

test('signs up with a passkey, then in by the suggestions of the field and by the button', async ({
  app,
  context,
  page,
}) => {
  const device = await virtualAuthenticator(page)
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { ...KEYS, screen_hint: 'signup' })
  await signUpPage.expectShown()
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await expect(signUpPage.email).toBeFocused()
  await signUpPage.email.fill('pia.passkey@e2e.test')
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await app.expectWelcome('pia.passkey@e2e.test')
  await expect(app.fact('amr')).toHaveText(/user.*mfa/)
  expect(await device.credentials()).toHaveLength(1)

  await context.clearCookies()
  await signInBySuggestion(app)
  await app.expectWelcome('pia.passkey@e2e.test')

  await context.clearCookies()
  await withoutSuggestions(page)
  await app.startLogin('names', KEYS)
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username webauthn')
  await page.getByRole('button', BUTTON).click()
  await app.expectWelcome('pia.passkey@e2e.test')
})

test('offers a passkey after a password, and a lost one is replaced by way of the password', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const device = await virtualAuthenticator(page)
  await app.startLogin('names', KEYS)
  await loginPage.signIn(kira.email)
  await expect(page.getByRole('heading', OFFER)).toBeVisible()
  await expectReadable(page, 'passkey-offer')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await app.expectWelcome(kira.name)
  await device.clear()
  await context.clearCookies()
  await app.startLogin('names', KEYS)
  await page.getByRole('button', BUTTON).click()
  await expect(page.getByText('That was cancelled or took too long.')).toBeVisible()
  await loginPage.signIn(kira.email)
  await app.expectWelcome(kira.name)
})

test('the offer can be skipped, and does not return', async ({ app, loginPage, page }) => {
  await virtualAuthenticator(page)
  await app.startLogin('names', KEYS)
  await loginPage.signIn(koa.email)
  await page.getByRole('button', { name: 'Not now' }).click()
  await app.expectWelcome(koa.name)
  await app.startLogin('names', { ...KEYS, prompt: 'login' })
  await loginPage.signIn(koa.email)
  await app.expectWelcome(koa.name)
})

test('an account with a passkey alone is recovered by mail, which ends the passkey that was never proven', async ({
  app,
  context,
  page,
}) => {
  const device = await virtualAuthenticator(page)
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { ...KEYS, screen_hint: 'signup' })
  await signUpPage.email.fill('lost.passkey@e2e.test')
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await app.expectWelcome('lost.passkey@e2e.test')
  await context.clearCookies()
  await device.answers(false)
  await app.startLogin('names', KEYS)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email address').fill('lost.passkey@e2e.test')
  await page.getByRole('button', { name: /Send/ }).click()
  await expect(page.getByText('sent it a link')).toBeVisible()
  await page.goto((await newestTo('lost.passkey@e2e.test')).link ?? '')
  await signUpPage.password.first().fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Choose')
  await device.answers(true)
  await signInBySuggestion(app)
  await expect(page.getByRole('alert')).toContainText('This passkey no longer opens an account here.')
  await expect.poll(async () => (await device.credentials()).length).toBe(0)
})

test('a person whom the device does not recognize gets no passkey, and another way', async ({ app, page }) => {
  const device = await virtualAuthenticator(page, { userVerified: false })
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { ...KEYS, screen_hint: 'signup' })
  await signUpPage.email.fill('not.recognized@e2e.test')
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await expect(page.getByText('That was cancelled or took too long.')).toBeVisible()
  expect(await device.credentials()).toEqual([])
  await device.verifies(true)
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await app.expectWelcome('not.recognized@e2e.test')
})

test('a security key is added once as a second factor, required at the next login and replaced by the recovery code', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const device = await virtualAuthenticator(page, { transport: 'usb' })
  const mfa = new MfaPage(page)
  await app.startLogin('strong')
  await loginPage.signIn(yuki.email)
  await mfa.choose('Security key')
  await mfa.expectTitle('Add a security key')
  await expect(page.getByText('This needs a browser with JavaScript')).toBeHidden()
  await expectReadable(page, 'security-key-new')
  await page.getByRole('button', { name: 'Continue' }).click()
  await mfa.expectTitle('Save your recovery code')
  await mfa.keepRecoveryCode()
  await app.expectWelcome(yuki.name)
  expect(await device.credentials()).toHaveLength(1)

  await context.clearCookies()
  await app.startLogin('strong')
  await loginPage.signIn(yuki.email)
  await mfa.expectTitle('Confirm that it’s you')
  await expectReadable(page, 'security-key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await app.expectWelcome(yuki.name)

  await device.clear()
  await context.clearCookies()
  await app.startLogin('strong')
  await loginPage.signIn(yuki.email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('That was cancelled or took too long.')).toBeVisible()
  await page.getByText('Try another way').click()
  await expect(page.getByRole('button', { name: 'Recovery code' })).toBeVisible()
})

test('the browser hears of a changed name and of a removed passkey from the portal', async ({ app, page }) => {
  const device = await virtualAuthenticator(page)
  const portal = new PortalPage(page)
  await app.startLogin('names', { ...KEYS, screen_hint: 'signup' })
  await new SignUpPage(page).email.fill('signals.passkey@e2e.test')
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await app.expectWelcome('signals.passkey@e2e.test')
  await page.goto('/account')
  await page.getByLabel('Name', { exact: true }).fill('Sina Signal')
  await portal.press('Save')
  await expect.poll(async () => (await device.credentials())[0]?.userDisplayName).toBe('Sina Signal')
  await portal.open('Passkeys')
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect.poll(async () => (await device.credentials()).length).toBe(0)
})

test('the pages with passkeys are readable in both themes, small and large, and from right to left', async ({
  app,
  page,
}) => {
  for (const [name, parameters] of Object.entries({
    'passkey-login': KEYS,
    'passkey-sign-up': { ...KEYS, screen_hint: 'signup' },
    'passkey-login-ar': { ...KEYS, ui_locales: 'ar' },
  })) {
    await app.startLogin('names', parameters)
    await expectReadable(page, name)
  }
})
