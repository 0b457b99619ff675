// axe on every page there is, in both colour schemes: no violation of WCAG 2.2 AA or of axe's best practices.
import { expect, test } from '../fixtures'
import { GRACE, NOTES_API, PEOPLE } from '../people'
import { expectAccessible } from '../support/accessibility'

const { axel } = PEOPLE

test.slow()

test('the login page, as it comes and with a problem', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await expectAccessible(page, 'login')
  await loginPage.signIn(axel.email, 'wrong')
  await expect(loginPage.problem).toBeVisible()
  await expectAccessible(page, 'login with a problem')
})

test('consent, account choice and logout', async ({ accountPage, app, consentPage, loginPage, noticePage, page }) => {
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

test('a page in Arabic, from the right', async ({ app, page }) => {
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

test('the demo app, signed in', async ({ consentPage, demoPage, loginPage, page }) => {
  await demoPage.open()
  await demoPage.signIn.click()
  await loginPage.signIn(GRACE.email, GRACE.password)
  await consentPage.allow.click()
  await demoPage.expectSignedIn(GRACE.name)
  await demoPage.userInfo.click()
  await expect(demoPage.card('User info')).toBeVisible()
  await expectAccessible(page, 'the demo app, signed in')
})
