// Home realm discovery: first the address, then the provider of its domain or a password.
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { UpstreamPage } from '../screens/upstream-page'
import { expectReadable } from '../support/readable'

const { gil } = PEOPLE
const next = { name: 'Continue', exact: true }

test('an address of the organisation leads to its provider, and needs no typing there', async ({
  app,
  loginPage,
  page,
}) => {
  await app.startLogin('guild')
  await expect(loginPage.identifier).toBeVisible()
  await expect(loginPage.password).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Guild Hall' })).toHaveCount(0)
  await loginPage.identifier.fill('Hilda.Smith@GUILD.e2e.test')
  await page.getByRole('button', next).click()
  const there = new UpstreamPage(page)
  await there.expectSignIn('Guild Hall')
  await expect(page.getByLabel('Your address')).toHaveValue(/hilda\.smith@guild\.e2e\.test/i)
  await there.signIn('hilda.smith@guild.e2e.test')
  await there.allow()
  await app.expectWelcome('Hilda Smith')
  await expect(app.fact('sub')).toHaveText(/^oidc\|guild-hall\|\d+$/)
  await expect(app.fact('email_verified')).toHaveText('false')
})

test('any other address continues with a password, and the input is kept', async ({ app, loginPage, page }) => {
  await app.startLogin('guild')
  await loginPage.identifier.fill(gil.email)
  await page.getByRole('button', next).click()
  await expect(loginPage.identifier).toHaveValue(gil.email)
  await loginPage.password.fill('correct horse battery')
  await loginPage.submit.click()
  await app.expectWelcome(gil.name)
})

test('an address that is known nowhere looks like any other', async ({ app, loginPage, page }) => {
  await app.startLogin('guild')
  await loginPage.identifier.fill('nobody.at.all@e2e.test')
  await page.getByRole('button', next).click()
  await expect(loginPage.password).toBeVisible()
})

test('the back button at the provider leads back to the address', async ({ app, loginPage, page }) => {
  await app.startLogin('guild')
  await loginPage.identifier.fill('back.smith@guild.e2e.test')
  await page.getByRole('button', next).click()
  await new UpstreamPage(page).expectSignIn('Guild Hall')
  await page.goBack()
  await expect(loginPage.identifier).toBeVisible()
  await loginPage.identifier.fill(gil.email)
  await page.getByRole('button', next).click()
  await expect(loginPage.password).toBeVisible()
})

test('nothing typed is said so', async ({ app, page }) => {
  await app.startLogin('guild')
  await page.getByRole('textbox').evaluate((field) => field.removeAttribute('required'))
  await page.getByRole('button', next).click()
  await expect(page.getByRole('alert')).toContainText('Enter your email address.')
  await expectReadable(page, 'the address first, with a problem')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the address leads to the provider as well', async ({ app, loginPage, page }) => {
    await app.startLogin('guild')
    await loginPage.identifier.fill('script.smith@guild.e2e.test')
    await page.getByRole('button', next).click()
    await new UpstreamPage(page).arrive('Guild Hall', 'script.smith@guild.e2e.test')
    await app.expectWelcome('Script Smith')
  })
})
