import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'

const { kim, lee, wren } = PEOPLE

test('signs in by e-mail address for a public app', async ({ app, loginPage }) => {
  await app.startLogin('spa')
  await loginPage.expectShown()
  await expect(loginPage.page.getByRole('main')).toContainText('to continue to Paper Planes')
  await expect(loginPage.identifier).toBeFocused()
  await loginPage.signIn(` ${kim.email.toUpperCase()} `)
  await app.expectWelcome(kim.name)
  await expect(app.fact('email')).toHaveText(kim.email)
})

test('signs in for an app with a secret', async ({ app, loginPage }) => {
  await app.startLogin('web')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  expect((await app.tokens()).refresh_token).toBeTruthy()
})

test('redeems the code in the browser, across sites', async ({ app, loginPage }) => {
  await app.startLogin('spa', { exchange: 'browser' })
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
})

test('signs in by username where the connection has usernames', async ({ app, page }) => {
  const loginPage = new LoginPage(page, { identifier: 'Email or username' })
  await app.startLogin('names', { connection: 'Nicknames' })
  await loginPage.signIn('LEE.W')
  await app.expectWelcome(lee.name)
})

test('reports a wrong password, keeps the username, and permits another attempt', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.signIn(wren.email, 'not the password')

  await expect(loginPage.problem).toContainText('These details don’t match any account.')
  await expect(page).toHaveTitle(/^Error: /)
  await expect(loginPage.identifier).toHaveValue(wren.email)
  await expect(loginPage.password).toHaveValue('')
  await expect(loginPage.password).toBeFocused()
  for (const field of [loginPage.identifier, loginPage.password]) {
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/don’t match any account/)
  }
  await loginPage.problem.getByRole('link', { name: 'Email address' }).click()
  await expect(loginPage.identifier).toBeFocused()

  await page.reload()
  await expect(loginPage.problem).toBeVisible()
  await loginPage.password.fill('correct horse battery')
  await loginPage.submit.click()
  await app.expectWelcome(wren.name)
})

test('answers an unknown account exactly like a wrong password', async ({ app, loginPage }) => {
  await app.startLogin('spa')
  await loginPage.signIn('nobody@e2e.test', 'whatever it is')
  await expect(loginPage.problem).toContainText('These details don’t match any account.')
})

test('begins with the address that the app suggests', async ({ app, loginPage }) => {
  await app.startLogin('spa', { login_hint: kim.email })
  await expect(loginPage.identifier).toHaveValue(kim.email)
  await expect(loginPage.password).toBeFocused()
})

test('returns to the app when the user cancels', async ({ app, page }) => {
  await app.startLogin('spa')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await app.expectRefusal('access_denied')
})

test('shows and hides the password, and never sends it shown', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.fill(kim.email)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(loginPage.password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(loginPage.password).toHaveAttribute('type', 'password')
})

test('can be done by keyboard alone', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await expect(loginPage.identifier).toBeFocused()
  await page.keyboard.type(kim.email)
  await page.keyboard.press('Tab')
  await expect(loginPage.password).toBeFocused()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(loginPage.password).toBeFocused()
  await expect(loginPage.problem).toBeVisible()
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(loginPage.submit).toBeFocused()
  await page.keyboard.press('Enter')
  await app.expectWelcome(kim.name)
})

test('declares the fields to password managers', async ({ app, loginPage }) => {
  await app.startLogin('spa')
  await expect(loginPage.identifier).toHaveAttribute('autocomplete', 'username')
  await expect(loginPage.password).toHaveAttribute('autocomplete', 'current-password')
})
