// The login inspector: a refused login is found and explained; and who may read it.
import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA, PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { UpstreamPage } from '../screens/upstream-page'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, sections, title } from '../support/console'
import { expectReadable } from '../support/readable'

test.slow()

const DEMO = {
  ...{ client_id: 'demo-web', response_type: 'code', scope: 'openid', state: 's' },
  ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
}

test('a login with a wrong callback is found and explained, and leads to what to change', async ({ page, browser }) => {
  const callback = `http://localhost:4999/${randomUUID()}`
  const request = new URLSearchParams({ ...DEMO, redirect_uri: callback })
  const visitor = await (await browser.newContext()).newPage()
  expect((await visitor.goto(`/authorize?${request}`))?.status()).toBe(400)

  await enter(page, '/console/logins', ADA)
  await expect(title(page, 'Logins')).toBeVisible()
  await expect(async () => {
    await page.goto('/console/logins?outcome=failed&client_id=demo-web')
    await expect(page.getByText('callback_not_registered').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expectAccessible(page, 'the logins')
  await page.locator('.co-table tbody tr').first().getByRole('link').click()
  const wrong = page.getByRole('region', { name: 'What went wrong first' })
  await expect(wrong.getByText(callback).first()).toBeVisible()
  await expect(wrong.getByText('callbacks', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a failed login')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await wrong.getByRole('link', { name: 'Open the application' }).click()
  await expect(page).toHaveURL(/\/console\/applications\/demo-web#clients\.update-callbacks$/)
  await expect(page.getByRole('textbox', { name: 'Allowed callback URLs' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Allowed callback URLs' })).toBeInViewport()
  await expectAccessible(page, 'a field that a link leads to')
})

test('without JavaScript the link of a failed login leads to the field too', async ({ browser }) => {
  const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await enter(bare, '/console/applications/demo-web#clients.update-callbacks', ADA)
  await bare.goto('/console/applications/demo-web#clients.update-callbacks')
  const field = bare.getByRole('textbox', { name: 'Allowed callback URLs' })
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport()
})

test('a link to a login opens a copy without a session, until it is withdrawn', async ({ browser }) => {
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`/authorize?${new URLSearchParams({ ...DEMO, redirect_uri: 'http://localhost:4999/none' })}`)

  const support = await enterAs(browser, 'user_support')
  await expect(async () => {
    await support.goto('/console/logins?outcome=failed&client_id=demo-web')
    await expect(support.getByText('callback_not_registered').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await support.locator('.co-table tbody tr').first().getByRole('link').click()
  const share = panel(support, 'Share this login')
  await share.getByLabel('Opens for').selectOption('1')
  await share.getByRole('button', { name: 'Make a link' }).click()
  const link = (await share.locator('.co-secret').textContent()) ?? ''
  expect(link).toMatch(/\/shared-login\/[\w-]{43}$/)

  expect((await visitor.goto(link))?.status()).toBe(200)
  await expect(title(visitor, 'The login failed')).toBeVisible()
  await expect(visitor.getByText('callback_not_registered').first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme })
    await expectAccessible(visitor, `a copy of a login, ${colorScheme}`)
  }
  await visitor.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(visitor)
  await visitor.goto(`${link}?ui_locales=ar`)
  await expect(title(visitor, 'فشل تسجيل الدخول')).toBeVisible()
  await expectAccessible(visitor, 'a copy of a login in Arabic')
  await expectNoSidewaysScroll(visitor)

  await support.reload()
  await expect(share.getByText('opened 2 times')).toBeVisible()
  await expectAccessible(support, 'a login with a link')
  await share.getByRole('button', { name: 'Withdraw' }).click()
  await expect(share.getByText('opened 2 times')).toHaveCount(0)
  expect((await visitor.goto(link))?.status()).toBe(400)
  await expect(title(visitor, 'This link no longer works')).toBeVisible()

  const auditor = await enterAs(browser, 'auditor')
  await auditor.goto(new URL(support.url()).pathname)
  await expect(auditor.getByRole('heading', { level: 1, name: /^Login at / })).toBeVisible()
  await expect(panel(auditor, 'Share this login')).toHaveCount(0)
})

test('a login of an application is tried in a window of its own, and ends in the inspector', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, '/console/applications/e2e-spa', ADA)
  await page.getByRole('link', { name: 'Try it' }).click()
  await expect(title(page, 'Try a login')).toBeVisible()
  await expectAccessible(page, 'the form of a test')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  const tried = await start(page, context)
  await new LoginPage(tried).signIn(PEOPLE.kim.email)
  await expect(tried).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await expect(tried.getByRole('heading', { level: 1, name: /^Login of .+ at Paper Planes$/ })).toBeVisible()
  await expect(tried.getByText('Succeeded', { exact: true })).toBeVisible()
  await expect(tried.getByText(PEOPLE.kim.email).first()).toBeAttached()
  // Kim signed in there, and Ada is still signed in here.
  await expect(sections(tried)).toBeVisible()

  await page.getByText('Parameters of the request').click()
  await page.getByLabel('audience').fill('https://none.e2e.test')
  const failed = await start(page, context)
  await expect(failed).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await expect(panel(failed, 'What went wrong first').getByText('api_unknown')).toBeVisible()

  await page.getByLabel('audience').fill('')
  await page.getByLabel('Name of parameter 1').fill('redirect_uri')
  const refused = await start(page, context)
  await expect(refused.getByText('redirect_uri belongs to the test itself')).toBeVisible()
  await expect(refused.getByLabel('Name of parameter 1')).toHaveValue('redirect_uri')

  await page.getByLabel('Name of parameter 1').fill('')
  await page.getByRole('combobox', { name: 'connection' }).pressSequentially('People')
  await page.getByRole('option', { name: 'People' }).first().click()
  const named = await start(page, context)
  await new LoginPage(named).signIn(PEOPLE.kim.email)
  await expect(named).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await expect(named.getByText('Succeeded', { exact: true })).toBeVisible()

  const auditor = await enterAs(browser, 'auditor')
  await auditor.goto('/console/applications/e2e-spa')
  await expect(sections(auditor)).toBeVisible()
  await expect(auditor.getByRole('link', { name: 'Try it' })).toHaveCount(0)
  expect((await auditor.goto('/console/logins/test?client_id=e2e-spa'))?.status()).toBe(403)
})

test('an application editor tries an application and its SAML add-on, and reads these steps alone', async ({
  browser,
}) => {
  const editor = await enterAs(browser, 'application_editor')
  await editor.goto('/console/applications/e2e-spa')
  await editor.getByRole('link', { name: 'Try it' }).click()
  await expect(title(editor, 'Try a login')).toBeVisible()
  const tried = await start(editor, editor.context())
  await new LoginPage(tried).signIn(PEOPLE.kim.email)
  await expect(tried).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await expect(tried.getByText('Succeeded', { exact: true })).toBeVisible()
  await expectReadable(tried, 'console-own-test')
  const first = tried.url()

  await editor.goto('/console/applications/e2e-spa/protocols')
  await panel(editor, 'SAML addresses').getByRole('link', { name: 'Try it' }).click()
  await expect(title(editor, 'Try a login')).toBeVisible()
  await expectReadable(editor, 'console-test-saml')
  const answered = await start(editor, editor.context())
  await new LoginPage(answered).signIn(PEOPLE.kim.email)
  await expect(answered).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await answered.getByText('Tokens by samlp').click()
  await expect(answered.getByRole('row', { name: /^signature Passed/ })).toBeVisible()
  await expect(answered.getByText('mapping of email')).toBeVisible()
  await expectReadable(answered, 'console-saml-tested')

  // The steps are those of the last test of this browser.
  expect((await tried.goto(first))?.status()).toBe(404)
  expect((await editor.goto('/console/logins'))?.status()).toBe(403)
})

test('a connection is tried at a provider on another site', async ({ page, context }) => {
  await enter(page, '/console/logins/test?connection=octopus', ADA)
  const tried = await start(page, context)
  await new UpstreamPage(tried).arrive('Octopus', 'tried.out@e2e.test')
  await expect(tried).toHaveURL(/\/console\/logins\/[0-9a-f]{32}$/)
  await expect(tried.getByText('Succeeded', { exact: true })).toBeVisible()
})

async function start(page: Page, context: BrowserContext): Promise<Page> {
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Start the login' }).click()
  return opening
}

test('user support reads logins, an application editor does not', async ({ browser }) => {
  const support = await enterAs(browser, 'user_support')
  await support.goto('/console/logins')
  await expect(title(support, 'Logins')).toBeVisible()
  const editor = await enterAs(browser, 'application_editor')
  await expect(sections(editor).getByRole('link', { name: 'Logins' })).toHaveCount(0)
  expect((await editor.goto('/console/logins'))?.status()).toBeLessThan(500)
  await expect(title(editor, 'Logins')).toHaveCount(0)
})
