// People of every database that an application has sign in: on the login page, in the account portal and in the console.
import { expect, test } from '../fixtures'
import { ADA, PASSWORD, PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { PortalPage } from '../screens/portal-page'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { acceptInvitation, enter, invite, sections } from '../support/console'

const { kim, stella } = PEOPLE

test('a person of either database signs in where the application names none', async ({ app, loginPage, page }) => {
  for (const person of [kim, stella]) {
    await page.context().clearCookies()
    await app.startLogin('doors')
    await loginPage.expectShown()
    await expect(loginPage.directory).toHaveCount(0)
    await loginPage.signIn(person.email, 'a wrong password')
    await expect(loginPage.problem).toContainText('These details don’t match any account')
    await loginPage.signIn(person.email)
    await app.expectWelcome(person.name)
  }
})

test('the portal asks which of many databases, unless its address names one', async ({ page }) => {
  const loginPage = new LoginPage(page, { identifier: 'Email or username' })
  const portal = new PortalPage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account')
  await loginPage.identify(stella.email)
  await expectAccessible(page, 'the choice of a database')
  await expectNoSidewaysScroll(page)
  await loginPage.directory.selectOption('People')
  await loginPage.password.fill(PASSWORD)
  await loginPage.submit.click()
  await expect(loginPage.problem).toBeVisible()
  await expect(loginPage.directory).toHaveValue('People')
  await loginPage.directory.selectOption({ label: 'Harbour staff' })
  await loginPage.password.fill(PASSWORD)
  await loginPage.submit.click()
  await portal.expectShown('Profile')

  await page.context().clearCookies()
  await page.goto('/account?connection=Staff')
  await expect(loginPage.directory).toHaveCount(0)
  await new LoginPage(page).signIn(stella.email)
  await portal.expectShown('Profile')
})

test('a person of either database signs in to the console', async ({ browser, page }) => {
  test.slow()
  const person = { ...stella, password: PASSWORD, directory: 'Staff' }
  const accepted = await acceptInvitation(browser, await invite(browser, 'auditor'), person)
  await accepted.context().close()
  await enter(page, '/console', person)
  await expect(sections(page)).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/console?connection=Staff')
  const login = new LoginPage(page)
  await expect(login.directory).toHaveCount(0)
  await login.signIn(stella.email)
  await expect(page).toHaveURL('/console')

  await page.context().clearCookies()
  await page.goto('/console?connection=Staff')
  await login.signIn(ADA.email, ADA.password)
  await expect(login.problem).toBeVisible()
})
