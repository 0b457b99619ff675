import { type BrowserContext, expect, type Page } from '@playwright/test'
import { test } from '../fixtures'
import { PEOPLE } from '../people'
import type { AppPage } from '../screens/app-page'
import { NEW_PASSWORD, SignUpPage } from '../screens/sign-up-page'
import { messagesTo, newestTo } from '../support/outbox'

const { ruth, sam } = PEOPLE

/** From the app to the mail; the page remains where the request was sent. */
async function askForLink(email: string, app: AppPage, page: Page): Promise<string> {
  await app.startLogin('spa')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Check your email' })).toBeVisible()
  return (await newestTo(email)).link ?? ''
}

async function inAnotherBrowser(context: BrowserContext): Promise<Page> {
  const other = await context.browser()?.newContext()
  if (!other) throw new Error('there is no browser')
  return other.newPage()
}

test('a forgotten password is replaced with the mail’s link, in any browser, and the login continues', async ({
  app,
  context,
  loginPage,
  noticePage,
  page,
}) => {
  const link = await askForLink(ruth.email, app, page)
  const elsewhere = await inAnotherBrowser(context)
  const newPassword = new SignUpPage(elsewhere)
  await elsewhere.goto(link)
  await elsewhere.reload()
  await expect(elsewhere.getByRole('main')).toContainText(`for ${ruth.email}`)
  await newPassword.password.fill('short')
  await elsewhere.getByRole('button', { name: 'Save the password' }).click()
  await expect(newPassword.problem).toContainText('Choose another password.')
  await newPassword.password.fill(NEW_PASSWORD)
  await elsewhere.getByRole('button', { name: 'Save the password' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
  await elsewhere.context().close()

  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(loginPage.identifier).toHaveValue(ruth.email)
  await loginPage.signIn(ruth.email)
  await expect(loginPage.problem).toBeVisible()
  await loginPage.signIn(ruth.email, NEW_PASSWORD)
  await app.expectWelcome(ruth.name)
  await page.goto(link)
  await noticePage.expectTitle('This link no longer works')
})

test('an unknown address gets the same response and no mail', async ({ app, page }) => {
  await app.startLogin('spa')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email address').fill('nobody@e2e.test')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Check your email' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('nobody@e2e.test')
  expect(await messagesTo('nobody@e2e.test')).toEqual([])
  await page.getByRole('link', { name: 'Try once more' }).click()
  await expect(page.getByLabel('Email address')).toHaveValue('nobody@e2e.test')
})

test('a made-up link sets nothing', async ({ noticePage, page }) => {
  await page.goto('/u/reset-password?ticket=made-up')
  await noticePage.expectTitle('This link no longer works')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('works all the same', async ({ app, loginPage, page }) => {
    await page.goto(await askForLink(sam.email, app, page))
    await new SignUpPage(page).password.fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save the password' }).click()
    await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
    await app.startLogin('spa')
    await loginPage.signIn(sam.email, NEW_PASSWORD)
    await app.expectWelcome(sam.name)
  })
})
