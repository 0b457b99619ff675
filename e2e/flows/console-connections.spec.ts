// Connections in the console: made from their kind, with a control for each option, with JavaScript and without.
import { randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, title } from '../support/console'

test.slow()

const METADATA = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.harbour.example/meta">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.harbour.example/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

const unique = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`

test('a SAML connection is made from the metadata of its provider, and its claims are mapped', async ({ page }) => {
  await enter(page, '/console/connections/new', ADA)
  await expectAccessible(page, 'the kinds of connections')
  await page.getByRole('link', { name: 'SAML', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(unique('harbour-saml'))
  await page
    .getByLabel('Metadata of the provider: Take it from a file')
    .setInputFiles({ name: 'metadata.xml', mimeType: 'text/xml', buffer: Buffer.from(METADATA) })
  await expect(page.getByRole('textbox', { name: /^Metadata of the provider/ })).toHaveValue(METADATA)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await expect(page.getByText('Entity ID: https://idp.harbour.example/meta')).toBeVisible()
  await expect(page.getByText('Sign-in address: https://idp.harbour.example/sso')).toBeVisible()
  await expect(page.getByLabel('Sign requests')).toBeChecked()
  await expectAccessible(page, 'a SAML connection')

  await page.getByLabel('Certificates of the provider', { exact: true }).fill('no certificate')
  await expect(page.getByText('This is no certificate')).toBeVisible()
  await page.getByLabel('Certificates of the provider', { exact: true }).fill('')
  const map = page.getByRole('group', { name: 'Claims by attribute' })
  await map.getByRole('button', { name: 'Add a row' }).click()
  await map.getByLabel('Name').fill('email')
  await map.getByLabel('Value').fill('mail\nurn:oid:0.9.2342.19200300.100.1.3')
  await page.getByLabel('Domains').fill('harbour.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(map.getByLabel('Value')).toHaveValue('mail\nurn:oid:0.9.2342.19200300.100.1.3')
  await expect(page.getByLabel('Domains')).toHaveValue('harbour.example')
  await expect(page.getByText('Entity ID: https://idp.harbour.example/meta')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})

test('without JavaScript a provider is added, and its secret stays where another option is changed', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/connections/new', ADA)
  await page.getByRole('link', { name: 'GitHub', exact: true }).click()
  const name = unique('github')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Client ID').fill('harbour-client')
  await page.getByLabel('Client secret').fill('harbour-secret')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByLabel('Client ID')).toHaveValue('harbour-client')
  await expect(page.getByLabel('Client secret')).toHaveValue('')
  await expect(page.getByText('Set. Leave this empty to keep it')).toBeVisible()
  await expect(page.getByLabel('Token endpoint', { exact: true })).toHaveCount(0)
  await page.getByLabel('Scopes', { exact: true }).fill('read:user')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByLabel('Scopes', { exact: true })).toHaveValue('read:user')
  await expect(page.getByText('Set. Leave this empty to keep it')).toBeVisible()
  expect(await page.content()).not.toContain('harbour-secret')
  await context.close()
})

test('a refused option names its control, and user support makes no connection', async ({ browser, page }) => {
  await enter(page, '/console/connections/new?strategy=oidc', ADA)
  const name = unique('oidc')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Discovery document').fill('ftp://id.harbour.example')
  await page.getByRole('button', { name: 'Create' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert.getByRole('link', { name: 'Discovery document' })).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
  const support = await enterAs(browser, 'User support')
  await support.goto('/console/connections/new')
  await expect(title(support, 'Not part of your role')).toBeVisible()
  await expect(panel(support, 'Provider')).toHaveCount(0)
  await support.context().close()
})
