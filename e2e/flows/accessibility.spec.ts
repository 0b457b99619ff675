// axe on every page, in both colour schemes: no violation of WCAG 2.2 AA or of axe's best practices.
import { expect, test } from '../fixtures'
import { GRACE, NOTES_API, PEOPLE } from '../people'
import { MfaPage } from '../screens/mfa-page'
import { SignUpPage } from '../screens/sign-up-page'
import { expectAccessible } from '../support/accessibility'
import { codeTo, newestTo } from '../support/outbox'

const { asta, axel } = PEOPLE

test.slow()

test('the login page, as it comes and with a problem', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await expectAccessible(page, 'login')
  await loginPage.signIn(axel.email, 'wrong')
  await expect(loginPage.problem).toBeVisible()
  await expectAccessible(page, 'login with a problem')
})

test('the pages of consent, account choice and logout are accessible', async ({
  accountPage,
  app,
  consentPage,
  loginPage,
  noticePage,
  page,
}) => {
  await app.startLogin('third', { scope: 'openid profile email read:notes', audience: NOTES_API })
  await loginPage.signIn(axel.email)
  await consentPage.expectShown('Night Owl')
  await expectAccessible(page, 'consent')
  await consentPage.allow.click()
  await app.expectWelcome(axel.name)

  await app.startLogin('third', { prompt: 'select_account' })
  await accountPage.expectShown()
  await expectAccessible(page, 'account choice')

  await page.goto('/oidc/logout')
  await expectAccessible(page, 'the question before logout')
  await noticePage.signOut.click()
  await noticePage.expectTitle('You’re signed out')
  await expectAccessible(page, 'signed out')
})

test('signing up, as it comes and with problems', async ({ app, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { screen_hint: 'signup', connection: 'Guild' })
  await expectAccessible(page, 'sign-up')
  await signUpPage.username.fill('axel')
  await page.getByLabel('I keep the rules of the guild').check()
  await signUpPage.signUp(axel.email, 'too simple')
  await expect(signUpPage.problem).toBeVisible()
  await expectAccessible(page, 'sign-up with a problem')
  await signUpPage.password.fill('lantern over the Harbour')
  await expectAccessible(page, 'sign-up with rules met')
})

test('every page of a forgotten password is accessible, from the request to the new password', async ({
  app,
  page,
}) => {
  await app.startLogin('spa')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expectAccessible(page, 'forgotten password')
  await page.getByLabel('Email address').fill(axel.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectAccessible(page, 'link sent')
  await page.goto((await newestTo(axel.email)).link ?? '')
  await expectAccessible(page, 'new password')
  await new SignUpPage(page).password.fill('short')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'new password with a problem')
})

test('every page of a second factor is accessible, from the choice to another way', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  await app.startLogin('strong')
  await loginPage.signIn(asta.email)
  await mfa.expectTitle('Set up a second step')
  await expectAccessible(page, 'the choice of factors')
  await mfa.choose('Approval on your phone')
  await mfa.expectTitle('Connect your phone')
  await expectAccessible(page, 'a phone to connect')
  const device = await page.getByRole('link', { name: 'You’re on your phone?' }).getAttribute('href')
  await page.getByRole('button', { name: 'Choose another way' }).click()
  await mfa.choose('Authenticator app')
  await expectAccessible(page, 'an app to set up')
  await page.getByRole('button', { name: 'Choose another way' }).click()
  await mfa.choose('Text message')
  await expectAccessible(page, 'a phone number')
  await page.getByLabel('Phone number').fill('+49 1512 3456702')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await expectAccessible(page, 'a code that was sent')
  await mfa.enter(await codeTo('+4915123456702'))
  await mfa.expectTitle('Save your recovery code')
  await expectAccessible(page, 'the recovery code')
  await mfa.keepRecoveryCode()

  await context.clearCookies()
  await app.startLogin('strong')
  await loginPage.signIn(asta.email)
  await mfa.enter('000000')
  await expect(mfa.problem).toBeVisible()
  await page.getByText('Try another way').click()
  await expectAccessible(page, 'a wrong code and another way')

  await page.goto(device ?? '')
  await expectAccessible(page, 'the phone')
  await page.goto('/u/device')
  await expectAccessible(page, 'a phone that is not connected')
})

test('a page in Arabic is accessible and reads from the right', async ({ app, page }) => {
  await app.startLogin('spa', { ui_locales: 'ar' })
  await expectAccessible(page, 'login in Arabic')
})

for (const [what, path] of Object.entries({
  'an error with details': '/authorize?client_id=e2e-spa&redirect_uri=https%3A%2F%2Fevil.test%2F',
  'a bookmarked login page': '/u/login',
  'a link that no longer works': '/u/unblock?ticket=made-up',
  'the front page': '/',
  'the demo app': '/demo',
  'the outbox': '/dev/outbox',
  'an address where nothing is': '/nothing/here',
})) {
  test(what, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, what)
  })
}

test('the demo app is accessible when a user is signed in', async ({ consentPage, demoPage, loginPage, page }) => {
  await demoPage.open()
  await demoPage.signIn.click()
  await loginPage.signIn(GRACE.email, GRACE.password)
  await consentPage.allow.click()
  await demoPage.expectSignedIn(GRACE.name)
  await demoPage.userInfo.click()
  await expect(demoPage.card('User info')).toBeVisible()
  await expectAccessible(page, 'the demo app, signed in')
})
