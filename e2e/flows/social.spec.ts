// Signing in with social providers: the doubles enforce the same rules as the real providers.
import { expect, test } from '../fixtures'
import { PROVIDERS_HERE } from '../origins'
import { UpstreamPage } from '../screens/upstream-page'
import { expectReadable } from '../support/readable'

const WITH = { google: 'Continue with Lighthouse', github: 'Continue with Octopus', apple: 'Continue with Orchard' }

test('a new user consents at the provider and gets an account; the next login takes one click', async ({
  app,
  context,
  page,
}) => {
  const there = new UpstreamPage(page)
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  await there.arrive('Lighthouse', 'maya.stone@e2e.test')
  await app.expectWelcome('Maya Stone')
  await expect(app.fact('sub')).toHaveText(/^google-oauth2\|\d+$/)
  await expect(app.fact('email_verified')).toHaveText('true')
  const sub = await app.fact('sub').textContent()

  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  await app.expectWelcome('Maya Stone')
  await expect(app.fact('sub')).toHaveText(sub ?? '')
})

test('plain OAuth 2.0, as GitHub speaks it', async ({ app, page }) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.github }).click()
  await new UpstreamPage(page).arrive('Octopus', 'olaf.ink@e2e.test')
  await app.expectWelcome('Olaf Ink')
  await expect(app.fact('sub')).toHaveText(/^oauth2\|octopus\|\d+$/)
  await expect(app.fact('nickname')).toHaveText('olaf.ink')
})

test('an answer that is posted from another site, as Apple’s is, with the name beside it', async ({
  app,
  context,
  page,
}) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.apple }).click()
  await new UpstreamPage(page).arrive('Orchard', 'fuji.pip@e2e.test')
  await app.expectWelcome('Fuji Pip')
  await expect(app.fact('sub')).toHaveText(/^apple\|\d+$/)

  await context.clearCookies({ name: /latchkey/ })
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.apple }).click()
  await app.expectWelcome('Fuji Pip')
})

test('the application may name the provider, and skips the page', async ({ app, page }) => {
  await app.startLogin('lantern', { connection: 'google-oauth2', login_hint: 'hinted.one@e2e.test' })
  const there = new UpstreamPage(page)
  await there.expectSignIn('Lighthouse')
  await expect(page.getByLabel('Your address')).toHaveValue('hinted.one@e2e.test')
  await page.getByRole('button', { name: 'Next' }).click()
  await there.allow()
  await app.expectWelcome('Hinted One')
})

for (const [name, title] of [
  ['google', 'Lighthouse'],
  ['apple', 'Orchard'],
] as const) {
  test(`a refusal at ${title} comes back to the page, where another way is open`, async ({ app, loginPage, page }) => {
    await app.startLogin('lantern')
    await page.getByRole('button', { name: WITH[name] }).click()
    const there = new UpstreamPage(page)
    await there.signIn(`no.${name}@e2e.test`)
    await there.refuse()
    await loginPage.expectShown()
    await expect(page.getByText('The sign-in there was cancelled.')).toBeVisible()
    await page.getByRole('button', { name: WITH.github }).click()
    await new UpstreamPage(page).arrive('Octopus', `after.${name}@e2e.test`)
    await app.expectWelcome(name === 'google' ? 'After Google' : 'After Apple')
  })
}

test('a refusal is returned to the application that requested only this provider', async ({ app, page }) => {
  await app.startLogin('lantern', { connection: 'google-oauth2' })
  const there = new UpstreamPage(page)
  await there.signIn('never.mind@e2e.test')
  await there.refuse()
  await app.expectRefusal('access_denied')
})

test('the back button leads from the provider to the page, and on by another way', async ({ app, loginPage, page }) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  await new UpstreamPage(page).expectSignIn('Lighthouse')
  await page.goBack()
  await loginPage.expectShown()
  await page.getByRole('button', { name: WITH.github }).click()
  await new UpstreamPage(page).arrive('Octopus', 'back.button@e2e.test')
  await app.expectWelcome('Back Button')
})

test('the back button after it is over shows no way to do it twice', async ({ app, noticePage, page }) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  await new UpstreamPage(page).arrive('Lighthouse', 'once.only@e2e.test')
  await app.expectWelcome('Once Only')
  await page.goBack()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Wrong: request').or(noticePage.page.getByText('can’t be completed'))).toBeVisible()
})

test('two tabs at the provider: each answer belongs to its own sign-in', async ({ app, context, page }) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  await new UpstreamPage(page).expectSignIn('Lighthouse')
  const second = await context.newPage()
  await second.goto(app.loginUrl('lantern'))
  await second.getByRole('button', { name: WITH.google }).click()
  await new UpstreamPage(second).arrive('Lighthouse', 'tab.two@e2e.test')
  await expect(second.getByRole('heading', { name: 'Hello, Tab Two' })).toBeVisible()
  await new UpstreamPage(page).signIn('tab.one@e2e.test')
  await new UpstreamPage(page).allow()
  await app.expectWelcome('Tab One')
})

test('an answer does not work in another browser', async ({ app, browser, page }) => {
  await app.startLogin('lantern')
  await page.getByRole('button', { name: WITH.google }).click()
  const there = new UpstreamPage(page)
  await there.signIn('thief.away@e2e.test')
  let answer = ''
  await page.route('**/lighthouse/answer', async (route) => {
    const url = `${PROVIDERS_HERE}/lighthouse/answer`
    answer = (await route.fetch({ url, maxRedirects: 0 })).headers().location ?? ''
    await route.abort()
  })
  await there.allow()
  await expect.poll(() => answer).toContain('/login/callback?')
  const other = await browser.newPage()
  await other.goto(answer)
  await expect(other.getByRole('heading', { level: 1 })).not.toContainText('Hello')
  await expect(other.getByRole('main')).toContainText('cookie')
  await other.close()
})

for (const ui_locales of ['en', 'ar']) {
  test(`the buttons, and what is said after a refusal, are readable in ${ui_locales}`, async ({ app, page }) => {
    await app.startLogin('lantern', { ui_locales })
    await expectReadable(page, `providers, ${ui_locales}`)
    await page.locator('form:has(input[value=google-oauth2]) button').click()
    await new UpstreamPage(page).signIn(`look.${ui_locales}@e2e.test`)
    await new UpstreamPage(page).refuse()
    await expect(page.locator('.notice')).toBeVisible()
    await expectReadable(page, `refused, ${ui_locales}`)
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a posted response signs in when the user presses its button', async ({ app, page }) => {
    await app.startLogin('lantern')
    await page.getByRole('button', { name: WITH.apple }).click()
    await new UpstreamPage(page).arrive('Orchard', 'plain.pear@e2e.test')
    await page.getByRole('button', { name: 'Go on' }).click()
    await app.expectWelcome('Plain Pear')
  })
})
