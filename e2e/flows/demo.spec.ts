import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'

test('the demo app signs in, shows the tokens, refreshes, asks and signs out', async ({
  consentPage,
  demoPage,
  loginPage,
  page,
}) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await demoPage.open()
  await demoPage.signIn.click()
  await loginPage.expectShown()
  await loginPage.signIn(ADA.email, ADA.password)
  await consentPage.expectShown('Demo App')
  await consentPage.allow.click()

  await demoPage.expectSignedIn(ADA.name)
  await expect(page).toHaveURL('/demo')
  await expect(demoPage.card('ID token')).toContainText(ADA.email)
  await expect(demoPage.card('Access token')).toContainText('read:notes')
  await expect(demoPage.card('Refresh token')).toContainText('Not used yet.')

  await demoPage.refresh.click()
  await expect(demoPage.card('Refresh token')).toContainText('Successor number 1.')
  await demoPage.userInfo.click()
  await expect(demoPage.card('User info')).toContainText(ADA.email)

  await page.reload()
  await demoPage.expectSignedIn(ADA.name)
  await demoPage.logOut.click()
  await expect(demoPage.signIn).toBeEnabled()
  await demoPage.signIn.click()
  await loginPage.expectShown()
  expect(problems).toEqual([])
})

test('the demo app reports a cancelled login', async ({ demoPage, loginPage, page }) => {
  await demoPage.open()
  await demoPage.signIn.click()
  await loginPage.expectShown()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You did not sign in' })).toBeVisible()
  await expect(demoPage.signIn).toBeEnabled()
})

test('the front page leads to the demo app', async ({ demoPage, page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Open the demo app' }).click()
  await expect(demoPage.signIn).toBeEnabled()
})

for (const start of ['/', '/demo'])
  test(`${start} leads to the console, where Ada is the owner, to the account and to the reference`, async ({
    loginPage,
    page,
  }) => {
    await page.goto(start)
    const inMain = page.getByRole('main')
    await inMain.getByRole('link', { name: 'API reference' }).click()
    await expect(page).toHaveURL('/reference')
    await page.goto(start)
    await inMain.getByRole('link', { name: 'Console Applications' }).click()
    await page.getByRole('textbox', { name: 'Email or username' }).fill(ADA.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    // The tenant has many databases, so the console asks which.
    await loginPage.directory.selectOption('Username-Password-Authentication')
    await loginPage.password.fill(ADA.password)
    await loginPage.submit.click()
    await expect(page).toHaveURL('/console')
    await page.goto('/console/administrators')
    await expect(page.getByText(`Owner · ${ADA.email}`)).toBeVisible()
    await page.goto(start)
    await inMain.getByRole('link', { name: 'Account Profile' }).click()
    await expect(page).toHaveURL(/\/account\//)
  })

/** If a test disables scripts, Chromium does not show the content of noscript. */
const sourceOf = async (page: Page): Promise<string> => (await page.request.get(page.url())).text()

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a way in leads up to the one-time code, and the page says what is left', async ({ loginPage, page }) => {
    await page.goto('/demo')
    expect(await sourceOf(page)).toContain('<noscript><p class="notice">Without JavaScript every way in works')
    await page.getByRole('link', { name: 'OpenID Connect', exact: true }).click()
    await loginPage.identify('wile@acme.test')
    await loginPage.signIn('wile@acme.test', 'rocket skates by mail')
    await expect(page).toHaveURL(/\/demo\?code=/)
    expect(await sourceOf(page)).toContain('the server sent a one-time code back')
  })
})
