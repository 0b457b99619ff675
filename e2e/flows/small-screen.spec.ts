import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { MfaPage } from '../screens/mfa-page'
import { SignUpPage } from '../screens/sign-up-page'
import { expectNoSidewaysScroll } from '../support/accessibility'

const { nora, silas } = PEOPLE

test.use({ viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true })

test('everything fits a small phone, and can be touched', async ({ app, consentPage, loginPage, page }) => {
  await app.startLogin('third', { prompt: 'consent' })
  await loginPage.expectShown()
  await expectNoSidewaysScroll(page)
  await expect(loginPage.submit).toBeInViewport()
  await loginPage.fill(nora.email, 'wrong at first')
  await loginPage.submit.tap()
  await expect(loginPage.problem).toBeVisible()
  await expectNoSidewaysScroll(page)
  await loginPage.fill(nora.email)
  await loginPage.submit.tap()
  await consentPage.expectShown('Night Owl')
  await expectNoSidewaysScroll(page)
  await consentPage.allow.tap()
  await app.expectWelcome(nora.name)
  await page.goto('/oidc/logout')
  await expectNoSidewaysScroll(page)
})

test('signing up fits a small phone, with every field and every problem', async ({ app, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { screen_hint: 'signup', connection: 'Guild' })
  await signUpPage.expectShown()
  await expectNoSidewaysScroll(page)
  await signUpPage.username.fill('a name that is far too long for a name')
  await page.getByLabel('I keep the rules of the guild').tap()
  await signUpPage.email.fill('a-rather-long-address-that-does-not-fit@small-screen.e2e.test')
  await signUpPage.password.fill('short')
  await signUpPage.submit.tap()
  await expect(signUpPage.problem).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Sign in', exact: true }).tap()
  await page.getByRole('link', { name: 'Forgot your password?' }).tap()
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Send the link' }).tap()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('the screens of second factors fit a small phone, with the picture and the keys', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  await app.startLogin('strong')
  await loginPage.signIn(silas.email)
  await mfa.expectTitle('Set up a second step')
  await expectNoSidewaysScroll(page)
  await mfa.choose('Authenticator app')
  await expect(page.getByRole('img', { name: 'QR code' })).toBeInViewport()
  await expectNoSidewaysScroll(page)
  const authenticator = await mfa.scan()
  await mfa.enter(authenticator.next())
  await mfa.expectTitle('Save your recovery code')
  await expectNoSidewaysScroll(page)
  await mfa.keepRecoveryCode()
  await app.expectWelcome(silas.name)
  await context.clearCookies()
  await app.startLogin('strong')
  await loginPage.signIn(silas.email)
  await page.getByText('Try another way').tap()
  await expectNoSidewaysScroll(page)
})

for (const path of ['/', '/demo', '/dev/outbox', '/u/login', '/authorize']) {
  test(`${path} does not scroll sideways`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
}
