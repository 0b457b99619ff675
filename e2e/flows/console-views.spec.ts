// Objects as code: at an address, without JavaScript, with their names as they are and without their secrets.
import { randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, title } from '../support/console'

test.slow()

// biome-ignore lint/suspicious/noTemplateCurlyInString: a template of Terraform's.
const NAME = '<script>alert(1)</script> "${x}"'

test('an application is shown as JSON, call, tenant file and Terraform', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/applications/new?kind=spa', ADA)
  const name = `${NAME} ${randomUUID().slice(0, 8)}`
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  await page.getByRole('link', { name: 'As JSON, call, tenant file and Terraform' }).click()
  await expect(title(page, 'As code')).toBeVisible()
  const code = page.locator('.co-view')
  expect(JSON.parse((await code.textContent()) ?? '')).toMatchObject({ name })
  await page.getByRole('link', { name: 'API call' }).click()
  await expect(code).toContainText('curl --request PATCH')
  await page.getByRole('link', { name: 'Tenant file' }).click()
  await expect(code).toContainText('clients:')
  await expect(code).toContainText('<script>alert(1)</script>')
  await page.getByRole('link', { name: 'Terraform', exact: true }).click()
  await expect(code).toContainText('resource "auth0_client" "script_alert_1_script')
  await expect(code).toContainText('\\"$${x}\\"')
  await context.close()
})

test('the views of the tenant and of its protection are readable in both directions and on a phone', async ({
  page,
}) => {
  await enter(page, '/console/security', ADA)
  await page.getByRole('link', { name: 'As JSON, call, tenant file and Terraform' }).click()
  await page.getByRole('link', { name: 'Terraform', exact: true }).click()
  await expect(page.locator('.co-view')).toContainText('resource "auth0_attack_protection"')
  await expectAccessible(page, 'an object as Terraform')
  await page.goto('/console/views/tenant/all?as=file')
  await expect(page.locator('.co-view')).toContainText('tenant:')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})

test('who may not read an object has no view of it, and other kinds are nowhere', async ({ browser }) => {
  const editor = await enterAs(browser, 'Application editor')
  const statusOf = async (path: string) => (await editor.goto(path))?.status()
  expect(await statusOf('/console/views/users/x')).toBe(403)
  expect(await statusOf('/console/views/tenant/all?as=file')).toBe(403)
  expect(await statusOf('/console/views/clients/nothing?as=file')).toBe(404)
  expect(await statusOf('/console/views/__proto__/x')).toBe(404)
  await editor.context().close()
})
