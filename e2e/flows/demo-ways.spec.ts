// Every login option of the demo page, from its link to the tokens.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { AuthenticatorApp, MfaPage } from '../screens/mfa-page'
import { PasswordlessPage } from '../screens/passwordless-page'
import { SignUpPage } from '../screens/sign-up-page'
import { expectAccessible } from '../support/accessibility'
import { codeTo, newestTo } from '../support/outbox'

const HEDY = { email: 'hedy@demo.test', password: 'frequency hopping 1942', phone: '+12025550142' }
const DOROTHY = { email: 'dorothy@demo.test', password: 'west area computers' }
const RADIA = { email: 'radia@demo.test', password: 'spanning tree poem', phone: '+12025550187' }
const WILE = { email: 'wile@acme.test', password: 'rocket skates by mail' }
const HANK = { email: 'hank@globex.test', password: 'hammock district on third' }

const way = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Consent is requested once per user, and another test may have given it. */
async function allow(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Allow', exact: true })
  await button.or(page.getByRole('heading', { name: 'You’re in' })).waitFor()
  if (await button.isVisible()) await button.click()
}

test.beforeEach(({ demoPage }) => demoPage.open())

test('the page with every way in is accessible', async ({ page }) => {
  await expect(way(page, 'SAML')).toBeVisible()
  await expectAccessible(page, 'the ways in')
})

test('sign-up begins at the form for a new account', async ({ page }) => {
  await way(page, 'Sign up').click()
  await expect(page).toHaveURL(/\/u\/signup\?/)
})

test('an unverified address is reported in the ID token', async ({ demoPage, loginPage, page }) => {
  await way(page, 'An unproven address').click()
  await expect(loginPage.identifier).toHaveValue('grace@demo.test')
  await loginPage.password.fill('nanosecond of copper wire')
  await loginPage.submit.click()
  await allow(page)
  await demoPage.expectSignedIn('Grace Hopper')
})

test('a second factor is always required: by text message, or with the authenticator key of the page', async ({
  context,
  demoPage,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  const key = (await page.getByText(/^[A-Z2-7]{24}$/).textContent()) ?? ''
  await way(page, 'Always asked for').click()
  await expect(loginPage.identifier).toHaveValue(HEDY.email)
  await loginPage.password.fill(HEDY.password)
  await loginPage.submit.click()
  await mfa.expectTitle('Confirm that it’s you')
  await mfa.enter(new AuthenticatorApp(key).next())
  await demoPage.expectSignedIn('Hedy Lamarr')

  await context.clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await demoPage.open()
  await way(page, 'Always asked for').click()
  await loginPage.password.fill(HEDY.password)
  await loginPage.submit.click()
  await mfa.chooseOther('Text message')
  await mfa.enter(await codeTo(HEDY.phone))
  await demoPage.expectSignedIn('Hedy Lamarr')
})

test('a user without a second factor enrols one', async ({ demoPage, loginPage, page }) => {
  const mfa = new MfaPage(page)
  await way(page, 'Set one up').click()
  await loginPage.password.fill(DOROTHY.password)
  await loginPage.submit.click()
  await mfa.expectTitle('Set up a second step')
  await mfa.choose('Authenticator app')
  const phone = await mfa.scan()
  await mfa.enter(phone.next())
  await mfa.keepRecoveryCode()
  await demoPage.expectSignedIn('Dorothy Vaughan')
})

test('a person who has set up a factor is asked for it', async ({ demoPage, loginPage, page }) => {
  await way(page, 'Optional').click()
  await loginPage.password.fill(RADIA.password)
  await loginPage.submit.click()
  await new MfaPage(page).enter(await codeTo(RADIA.phone))
  await allow(page)
  await demoPage.expectSignedIn('Radia Perlman')
})

test('a code by email signs in', async ({ demoPage, page }) => {
  const passwordless = new PasswordlessPage(page)
  await way(page, 'A code by email').click()
  await expect(passwordless.address).toHaveValue('joan@demo.test')
  await passwordless.send('joan.code@demo.test')
  await passwordless.enter(await codeTo('joan.code@demo.test'))
  await demoPage.expectSignedIn('joan.code@demo.test')
})

test('a link by email signs in', async ({ demoPage, page }) => {
  await way(page, 'A link by email').click()
  await new PasswordlessPage(page).sendLink('joan.link@demo.test')
  await page.goto((await newestTo('joan.link@demo.test')).link ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await demoPage.expectSignedIn('joan.link@demo.test')
})

test('a code by text message signs in', async ({ demoPage, page }) => {
  const passwordless = new PasswordlessPage(page)
  await way(page, 'A code by text message').click()
  await passwordless.send('+12025550178')
  await passwordless.enter(await codeTo('+12025550178'))
  await demoPage.expectSignedIn('+12025550178')
})

for (const { name, person, title } of [
  { name: 'OpenID Connect', person: WILE, title: 'Wile Coyote' },
  { name: 'SAML', person: HANK, title: 'Hank Scorpio' },
]) {
  test(`the domain of an address leads to the company's login page: ${name}`, async ({ demoPage, loginPage, page }) => {
    await way(page, name).click()
    await expect(loginPage.identifier).toHaveValue(person.email)
    await expect(loginPage.password).toHaveCount(0)
    await loginPage.identify(person.email)
    await expect(page).toHaveURL(/^http:\/\/acme\.localhost:\d+\/u\/login\?/)
    await loginPage.signIn(person.email, person.password)
    await demoPage.expectSignedIn(title)
  })
}

test('a social provider signs in', async ({ demoPage, loginPage, page }) => {
  await way(page, 'OAuth 2.0').click()
  await expect(page).toHaveURL(/^http:\/\/acme\.localhost:\d+\/u\/login\?/)
  await loginPage.signIn(WILE.email, WILE.password)
  await demoPage.expectSignedIn('Wile Coyote')
})

test('a member signs in to an organization, which the tokens name', async ({ demoPage, loginPage, page }) => {
  await way(page, 'Member').click()
  await loginPage.password.fill(ADA.password)
  await loginPage.submit.click()
  await demoPage.expectSignedIn(ADA.name)
  await expect(demoPage.card('ID token')).toContainText('night-shift')
})

test('a guest is invited, and led to the sign-up page with the invited address', async ({ page }) => {
  await page.getByRole('button', { name: 'Invitation', exact: true }).click()
  await expect(new SignUpPage(page).email).toHaveValue(/^guest-[0-9a-f]+@demo\.test$/)
})

for (const { name, fact } of [
  { name: 'SAML application', fact: 'displayName' },
  { name: 'WS-Federation application', fact: 'emailaddress' },
]) {
  test(`the page shows the assertion of a ${name}`, async ({ loginPage, page }) => {
    await way(page, name).click()
    await loginPage.signIn(ADA.email, ADA.password)
    const assertion = page.getByRole('region', { name: 'Assertion' })
    await expect(assertion).toContainText(fact)
    await expect(assertion).toContainText(ADA.email)
    await expect(page).toHaveURL('/demo')
  })
}
