// The API explorer: it shows both documents under its policy, loads nothing from elsewhere, and its requests reach the server.
import { expect, test } from '../fixtures'

for (const [api, title] of [
  ['authentication', 'Latchkey Authentication API'],
  ['management', 'Latchkey Management API'],
] as const) {
  test(`shows the ${api} API, with nothing from another origin`, async ({ page, baseURL }) => {
    // The document of the Management API is large.
    test.slow()
    const problems: string[] = []
    const elsewhere: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== baseURL) elsewhere.push(request.url())
    })
    await page.goto(`/reference?api=${api}`)
    await expect(page.getByRole('heading', { name: title })).toBeVisible({ timeout: 45_000 })
    await expect(page.locator('.opblock-tag').first()).toBeVisible()
    expect([problems, elsewhere]).toEqual([[], []])
  })
}

test('sends an example, and shows the answer', async ({ page }) => {
  await page.goto('/reference')
  await page.locator('#operations-tag-Metadata').click()
  const operation = page.locator('#operations-Metadata-get_well_known_openid_configuration')
  await operation.locator('.opblock-summary').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await expect(operation.locator('.live-responses-table tbody .response-col_status').first()).toContainText('200')
  await expect(operation.locator('.live-responses-table')).toContainText('jwks_uri')
})
