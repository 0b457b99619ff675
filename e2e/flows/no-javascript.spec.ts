// Every page once without JavaScript: scripts are optional.
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'

const { nora } = PEOPLE

test.use({ javaScriptEnabled: false })

test('signs in, agrees, chooses the account and signs out', async ({
  accountPage,
  app,
  consentPage,
  loginPage,
  noticePage,
  page,
}) => {
  await app.startLogin('third')
  await loginPage.signIn(nora.email, 'wrong at first')
  await expect(loginPage.problem).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
  await loginPage.signIn(nora.email)
  await consentPage.expectShown('Night Owl')
  await consentPage.allow.click()
  await app.expectWelcome(nora.name)

  await app.startLogin('third', { prompt: 'select_account' })
  await accountPage.continueAs(nora.name).click()
  await app.expectWelcome(nora.name)

  await page.goto('/oidc/logout')
  await noticePage.signOut.click()
  await noticePage.expectTitle('You’re signed out')
  await app.startLogin('third')
  await loginPage.expectShown()
})

test('hands the answer over with a button by form_post', async ({ app, loginPage, page }) => {
  await app.startLogin('spa', { response_mode: 'form_post' })
  await loginPage.signIn(nora.email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await app.expectWelcome(nora.name)
})

test('a double click ends on a page from which the user can continue', async ({ app, loginPage, noticePage, page }) => {
  await app.startLogin('spa')
  await loginPage.fill(nora.email)
  await loginPage.submit.dblclick()
  const welcome = page.getByRole('heading', { name: `Hello, ${nora.name}` })
  await expect(welcome.or(noticePage.wayOn)).toBeVisible()
  if (await noticePage.wayOn.isVisible()) await noticePage.wayOn.click()
  // The browser may have dropped the first response, and with it the session cookie.
  await expect(welcome.or(loginPage.heading)).toBeVisible()
  if (await loginPage.heading.isVisible()) await loginPage.signIn(nora.email)
  await expect(welcome).toBeVisible()
})

test('says what is wrong with the app’s request', async ({ app, noticePage }) => {
  await app.startLogin('spa', { client_id: 'nobody' })
  await noticePage.expectTitle('We don’t know this app')
})
