// Two accounts of one user: offered, proven, linked; or declined.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import type { AppPage } from '../screens/app-page'
import { LinkPage } from '../screens/link-page'
import { UpstreamPage } from '../screens/upstream-page'
import { codeTo } from '../support/outbox'
import { expectReadable } from '../support/readable'

const { aida, linda, nilsNoscript, paula, vera } = PEOPLE

const signInAtLighthouse = async (app: AppPage, page: Page, email: string, extra = {}): Promise<void> => {
  await app.startLogin('lantern', extra)
  await page.locator('form:has(input[value=google-oauth2]) button').click()
  await new UpstreamPage(page).arrive('Lighthouse', email)
}

test('links the provider to the account with a password, by that password', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const linking = new LinkPage(page)
  await signInAtLighthouse(app, page, linda.email)
  await linking.expectShown(linda.email, 'a password')
  await linking.accept(linda.email)
  await expect(loginPage.identifier).toHaveValue(linda.email)
  await loginPage.signIn(linda.email, 'not it')
  await expect(loginPage.problem).toBeVisible()
  await loginPage.signIn(linda.email)
  await linking.confirm(linda.email)
  await app.expectWelcome(linda.name)
  await expect(app.fact('sub')).toHaveText(/^auth0\|/)
  const sub = (await app.fact('sub').textContent()) ?? ''

  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await page.getByRole('button', { name: 'Continue with Lighthouse' }).click()
  await app.expectWelcome(linda.name)
  await expect(app.fact('sub')).toHaveText(sub)
})

test('keeps the accounts apart if declined, even after opening the other login, and does not ask again', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const linking = new LinkPage(page)
  await signInAtLighthouse(app, page, paula.email)
  await linking.accept(paula.email)
  await page.goBack()
  await expect(linking.proving).toBeVisible()
  await linking.back.click()
  await linking.keepApart.click()
  await app.expectWelcome('Paula Parted')
  await expect(app.fact('sub')).toHaveText(/^google-oauth2\|/)

  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await page.getByRole('button', { name: 'Continue with Lighthouse' }).click()
  await app.expectWelcome('Paula Parted')
  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await loginPage.signIn(paula.email)
  // Nor when signing in to the other account.
  await expect(app.fact('sub')).toHaveText(/^auth0\|/)
})

test('proves an account at another provider there, and one without a password by a mailed code', async ({
  app,
  context,
  page,
}) => {
  const email = 'tom.three@e2e.test'
  const linking = new LinkPage(page)
  await app.startLogin('lantern')
  await page.getByRole('link', { name: 'Sign in with a code instead' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  linking.used = await codeTo(email)
  await page.getByLabel('Code').fill(linking.used)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(app.fact('sub')).toHaveText(/^email\|/)
  const sub = (await app.fact('sub').textContent()) ?? ''

  await context.clearCookies({ name: /latchkey/ })
  await signInAtLighthouse(app, page, email)
  await linking.expectShown(email, 'a code or link by email')
  await linking.keepApart.click()
  await app.expectWelcome('Tom Three')

  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await page.getByRole('button', { name: 'Continue with Octopus' }).click()
  await new UpstreamPage(page).arrive('Octopus', email)
  await linking.expectShown(email, 'a code or link by email')
  await linking.accept(email)
  await expect(page.getByLabel('Email address')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  linking.used = await codeTo(email, linking.used)
  await page.getByLabel('Code').fill(linking.used)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await linking.confirm(email)
  await expect(app.fact('sub')).toHaveText(sub)
})

test('in two tabs: the second finds the sign-in finished', async ({ app, context, page }) => {
  const email = 'two.tabs@e2e.test'
  await signInAtLighthouse(app, page, email)
  await app.expectWelcome('Two Tabs')
  await context.clearCookies()
  await app.startLogin('lantern')
  await page.getByRole('button', { name: 'Continue with Orchard' }).click()
  await new UpstreamPage(page).arrive('Orchard', email)
  const linking = new LinkPage(page)
  await linking.accept(email)
  const second = await context.newPage()
  await second.goto(page.url())
  await page.getByRole('button', { name: 'Continue with Lighthouse' }).click()
  await new UpstreamPage(page).signIn(email)
  await linking.confirm(email)
  await app.expectWelcome('Two Tabs')
  await second.getByRole('button', { name: 'Continue with Lighthouse' }).click()
  await expect(second.getByRole('heading', { name: 'This sign-in is already finished' })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a provider is linked to the account with a password without JavaScript too', async ({
    app,
    loginPage,
    page,
  }) => {
    const linking = new LinkPage(page)
    await signInAtLighthouse(app, page, nilsNoscript.email)
    await linking.accept(nilsNoscript.email)
    await loginPage.signIn(nilsNoscript.email)
    await linking.confirm(nilsNoscript.email)
    await app.expectWelcome(nilsNoscript.name)
  })
})

for (const [locale, direction, { email }] of [
  ['en', 'ltr', vera],
  ['ar', 'rtl', aida],
] as const) {
  test(`is readable on a phone and on a desktop in ${locale}, in both themes`, async ({ app, page }) => {
    const linking = new LinkPage(page)
    await signInAtLighthouse(app, page, email, { ui_locales: locale })
    await expect(page.locator('html')).toHaveAttribute('dir', direction)
    await expectReadable(page, `the question, ${locale}`)
    await page.locator('button[value=link]').click()
    await linking.confirm(email)
    await expect(page.locator('input[name=password]')).toBeVisible()
    await expectReadable(page, `proving, ${locale}`)
  })
}
