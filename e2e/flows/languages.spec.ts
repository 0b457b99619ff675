import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { expectNoSidewaysScroll } from '../support/accessibility'
import { newestTo } from '../support/outbox'

const { kim, ute } = PEOPLE

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

test('signing up speaks it too, the mail, its link and the fields of the connection', async ({
  app,
  browser,
  page,
}) => {
  await app.startLogin('names', { ui_locales: 'de', screen_hint: 'signup', connection: 'Guild' })
  await expect(page.getByRole('heading', { level: 1, name: 'Konto erstellen' })).toBeVisible()
  await page.getByLabel('E-Mail-Adresse').fill('uta@e2e.test')
  await page.getByLabel('Benutzername').fill('uta')
  await page.getByLabel('Zunfthaus (freiwillig)').fill('Am Markt')
  await page.getByLabel('I keep the rules of the guild').check()
  await page.getByLabel('Passwort', { exact: true }).fill('zu einfach')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await expect(page.getByRole('alert')).toContainText('Wählen Sie ein anderes Passwort.')
  await page.getByLabel('Passwort', { exact: true }).fill('Laterne am Hafen 7')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()
  await app.expectWelcome('uta@e2e.test')
  const mail = await newestTo('uta@e2e.test')
  expect(mail.html).toContain('lang="de"')
  const german = await browser.newPage({ locale: 'de' })
  await german.goto(mail.link ?? '')
  await german.getByRole('button', { name: 'Adresse bestätigen' }).click()
  await expect(german.getByRole('heading', { name: 'Ihre E-Mail-Adresse ist bestätigt' })).toBeVisible()
  await german.close()
})

test('second factors speak it too, and turn around', async ({ app, page }) => {
  await app.startLogin('strong', { ui_locales: 'de' })
  await new LoginPage(page, GERMAN).signIn(ute.email)
  await expect(page.getByRole('heading', { level: 1, name: 'Zweiten Schritt einrichten' })).toBeVisible()
  await page.getByRole('button', { name: 'Authenticator-App' }).click()
  await page.getByLabel('Code, den die App anzeigt').fill('000000')
  await page.getByRole('button', { name: 'Weiter' }).click()
  await expect(page.getByRole('alert')).toContainText('Dieser Code stimmt nicht')
  await page.goto(`${page.url()}&ui_locales=ar`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')

  await app.startLogin('strong', { ui_locales: 'ar' })
  await page.locator('input[name=username]').fill(ute.email)
  await page.locator('input[name=password]').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'أعدّ خطوة ثانية' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expectNoSidewaysScroll(page)
})

test('turns the sign-up page around', async ({ app, page }) => {
  await app.startLogin('names', { ui_locales: 'ar', screen_hint: 'signup', connection: 'Guild' })
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test.describe('a browser that prefers French', () => {
  test.use({ locale: 'fr-CA' })

  test('is answered in French', async ({ app, page }) => {
    await app.startLogin('spa')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await page.goto('/u/reset-password?ticket=unknown')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  })
})
