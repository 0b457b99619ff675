// A SAML login that fails is found in the console, explained, mended at the control that the explanation leads to, and works then.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { startSamlProvider } from '../doubles/saml-provider'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { enter, panel, title } from '../support/console'
import { expectReadable } from '../support/readable'

test.slow()

type Entry = { clientId: string; connection: string; callback: string }

/** Where a login by that connection ends: at the application, or on a page of the server. */
async function logIn(visitor: Page, { clientId, connection, callback }: Entry): Promise<URL> {
  const request = new URLSearchParams({
    ...{ client_id: clientId, response_type: 'code', redirect_uri: callback, scope: 'openid', state: randomUUID() },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256', connection },
  })
  await visitor.goto(`/authorize?${request}`)
  await visitor.waitForURL((url) => url.href.startsWith(callback) || url.pathname.startsWith('/u/'))
  return new URL(visitor.url())
}

test('a SAML login for the wrong audience is found, explained and mended', async ({ page, browser }) => {
  const name = `saml-${randomUUID().slice(0, 8)}`
  const audience = `urn:${name}:customer`
  const visitors = await browser.newContext()
  const visitor = await visitors.newPage()
  const provider = await startSamlProvider({ connection: name, audience })

  await enter(page, '/console/applications/new', ADA)
  await page.goto('/console/applications/new?kind=spa')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Allowed callback URLs' }).fill(provider.callback)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  const clientId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const entry = { clientId, connection: name, callback: provider.callback }

  await page.goto('/console/connections/new?strategy=samlp')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Sign-in address').fill(provider.signInEndpoint)
  await page.getByRole('textbox', { name: /^Certificates of the provider/ }).fill(provider.signingCert)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await page.goto(`/console/applications/${clientId}/access`)
  const row = panel(page, 'Connections').getByRole('listitem').filter({ hasText: name })
  await row.getByRole('button', { name: 'Enable' }).click()
  await expect(row.getByText('enabled', { exact: true })).toBeVisible()

  expect((await logIn(visitor, entry)).searchParams.has('code')).toBe(false)

  await expect(async () => {
    await page.goto(`/console/logins?outcome=failed&connection=${name}`)
    await expect(page.getByText('upstream_audience').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.locator('.co-table tbody tr').first().getByRole('link').click()
  const wrong = page.getByRole('region', { name: 'What went wrong first' })
  await expect(wrong).toContainText(`it is for the audience "${audience}"`)
  await expect(wrong.getByText('options.entityId', { exact: true })).toBeVisible()
  await expectReadable(page, 'console-login-saml-failure')

  await wrong.getByRole('link', { name: 'Open the connection' }).click()
  const entityId = page.getByLabel('Our entity ID')
  await expect(entityId).toBeFocused()
  await expect(entityId).toBeInViewport()
  await entityId.fill(audience)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await expect(async () => {
    await visitors.clearCookies()
    expect((await logIn(visitor, entry)).searchParams.has('code')).toBe(true)
  }).toPass()
  await expect(async () => {
    await page.goto(`/console/logins?outcome=succeeded&connection=${name}`)
    await expect(page.locator('.co-table tbody tr').first()).toContainText(name, { timeout: 1000 })
  }).toPass()
  provider.close()
})
