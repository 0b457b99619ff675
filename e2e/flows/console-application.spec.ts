// One application: every page of it, its keys, connections and APIs, as an owner, and as an application editor, who changes no grants.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { ConsentPage } from '../screens/consent-page'
import { DemoPage } from '../screens/demo-page'
import { LoginPage } from '../screens/login-page'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, title } from '../support/console'

test.slow()

const publicKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()

test('an owner gives an application a key, a connection and permissions of an API', async ({ page }) => {
  const name = `Harbour ${Date.now()}`
  await enter(page, '/console/apis/new', ADA)
  const audience = `https://harbour.example/${Date.now()}`
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} API`)
  await page.getByLabel('Audience').fill(audience)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, `${name} API`)).toBeVisible()

  await page.goto('/console/applications/new?kind=regular_web')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(title(page, name)).toBeVisible()
  const tabs = page.getByRole('navigation', { name })

  await tabs.getByRole('link', { name: 'Credentials' }).click()
  const keys = panel(page, 'Public keys')
  await keys.getByLabel('Name').fill('2027')
  await keys.getByLabel('Public key or certificate').fill(publicKey())
  await keys.getByRole('button', { name: 'Add the key' }).click()
  await expect(keys.getByText('2027')).toBeVisible()
  await keys.getByRole('button', { name: 'Authenticate with it', exact: true }).click()
  await expect(keys.getByText('authenticates')).toBeVisible()
  await keys.getByRole('button', { name: 'Do not authenticate with it' }).click()
  await expect(keys.getByText('authenticates')).toBeHidden()

  await tabs.getByRole('link', { name: 'Connections and APIs' }).click()
  const connections = panel(page, 'Connections')
  const users = connections.getByRole('listitem').filter({ hasText: 'Username-Password-Authentication' })
  await users.getByRole('button', { name: 'Disable' }).click()
  await expect(users.getByRole('button', { name: 'Enable' })).toBeVisible()
  const apis = panel(page, 'APIs')
  await apis.getByLabel('API', { exact: true }).selectOption({ label: `${name} API` })
  await apis.getByRole('button', { name: 'Add' }).click()
  await expect(apis.getByText('Permissions: 0')).toBeVisible()

  await apis.getByText('Permissions: 0').click()
  await tabs.getByRole('link', { name: 'SAML and WS-Federation' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'SAML attributes' }).click()
  await expect(panel(page, 'SAML attributes').getByLabel('UPN attribute')).toBeChecked()
  await expect(panel(page, 'SAML 2.0').getByLabel('Destination')).toBeHidden()
  await panel(page, 'SAML 2.0').getByText('More settings').click()
  await expect(panel(page, 'SAML 2.0').getByLabel('Destination')).toBeVisible()
  await panel(page, 'SAML 2.0').getByLabel('Audience').fill('urn:harbour')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(panel(page, 'SAML 2.0').getByLabel('Audience')).toHaveValue('urn:harbour')
  const metadata = await panel(page, 'SAML addresses').getByText('/samlp/metadata/').textContent()
  expect((await page.request.get(metadata ?? '')).status()).toBe(200)

  for (const tab of ['Settings', 'Credentials', 'Connections and APIs', 'SAML and WS-Federation']) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page, tab)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await expect(panel(page, 'What depends on it').getByText('The log has no login to it.')).toBeVisible()
})

test('an application editor changes keys, and neither grants nor connections', async ({ browser }) => {
  const page = await enterAs(browser, 'application_editor')
  await page.goto('/console/applications/demo-web/credentials')
  await expect(panel(page, 'Public keys').getByRole('button', { name: 'Add the key' })).toBeVisible()
  await page.goto('/console/applications/demo-web/access')
  await expect(panel(page, 'Connections')).toBeVisible()
  await expect(panel(page, 'APIs')).toBeVisible()
  await expect(panel(page, 'Connections').getByRole('button')).toHaveCount(0)
  await expect(panel(page, 'APIs').getByRole('button')).toHaveCount(0)
})

test('the people who hold tokens of an application are counted; an auditor ends none', async ({ page, browser }) => {
  await enter(page, '/console/applications/demo-web/logins', ADA)
  await expect(panel(page, 'Refresh tokens')).toContainText('People')
  await expectAccessible(page, 'the logins of an application')
  const auditor = await enterAs(browser, 'Auditor')
  await auditor.goto('/console/applications/demo-web/logins')
  await expect(panel(auditor, 'Refresh tokens')).toContainText('People')
  await expect(auditor.getByRole('button', { name: /^End/ })).toHaveCount(0)
  await auditor.context().close()
})

test('the sessions and refresh tokens of an application say who and from where, and each is ended alone', async ({
  page,
  browser,
}) => {
  const email = `${randomUUID()}@e2e.test`
  await enter(page, '/console/users/new?connection=Username-Password-Authentication', ADA)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  const own = await (await browser.newContext()).newPage()
  const demo = new DemoPage(own)
  await demo.open()
  await demo.signIn.click()
  await new LoginPage(own).signIn(email, 'a quiet harbour in winter')
  await new ConsentPage(own).allow.click()
  await demo.expectSignedIn(email)

  await page.goto('/console/applications/demo-app/logins')
  const session = panel(page, 'Sessions').getByRole('listitem').filter({ hasText: email })
  const token = panel(page, 'Refresh tokens').getByRole('listitem').filter({ hasText: email })
  for (const row of [session, token]) {
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('Chrome')
    await expect(row).toContainText('127.0.0.1')
    await expect(row).toContainText('made')
  }
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `the logins of an application at ${width} pixels`)
    await expectNoSidewaysScroll(page)
  }
  await session.getByRole('button', { name: 'End' }).click()
  await expect(page.getByText('Done.')).toBeVisible()
  await expect(session).toHaveCount(0)
  await expect(token).toHaveCount(1)
  await token.getByRole('button', { name: 'End' }).click()
  await expect(token).toHaveCount(0)

  const editor = await enterAs(browser, 'Application editor')
  await editor.goto('/console/applications/demo-app/logins')
  await expect(title(editor, 'Not part of your role')).toBeVisible()
  await editor.context().close()
  await own.context().close()
})
