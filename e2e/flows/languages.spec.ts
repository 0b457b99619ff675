import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { expectNoSidewaysScroll } from '../support/accessibility'

const { kim } = PEOPLE

const GERMAN = { title: 'Anmelden', identifier: 'E-Mail-Adresse', password: 'Passwort', submit: 'Anmelden' }

test('speaks the language that the app asks for, to the end', async ({ app, page }) => {
  const loginPage = new LoginPage(page, GERMAN)
  await app.startLogin('spa', { ui_locales: 'de' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await loginPage.signIn(kim.email, 'falsch')
  await expect(loginPage.problem).toContainText('Zu diesen Angaben gibt es kein Konto.')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
})

test('turns the page around for a language that is written from the right', async ({ app, page }) => {
  await app.startLogin('spa', { ui_locales: 'ar' })
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  const main = await page.getByRole('main').boundingBox()
  if (!heading || !main) throw new Error('nothing is shown')
  expect(main.x + main.width - (heading.x + heading.width)).toBeLessThan(main.width / 2)
  await expectNoSidewaysScroll(page)
  await page.locator('input[name=username]').fill(kim.email)
  await page.locator('input[name=password]').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await app.expectWelcome(kim.name)
})

test.describe('a browser that prefers French', () => {
  test.use({ locale: 'fr-CA' })

  test('is answered in French', async ({ app, page }) => {
    await app.startLogin('spa')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await page.goto('/u/login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  })
})
