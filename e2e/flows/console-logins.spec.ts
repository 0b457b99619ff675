// The login inspector: a refused login is found and explained; and who may read it.
import { randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, sections, title } from '../support/console'

test.slow()

test('a login with a wrong callback is found and explained, and leads to what to change', async ({ page, browser }) => {
  const callback = `http://localhost:4999/${randomUUID()}`
  const request = new URLSearchParams({
    ...{ client_id: 'demo-web', response_type: 'code', redirect_uri: callback, scope: 'openid', state: 's' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  })
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

test('user support reads logins, an application editor does not', async ({ browser }) => {
  const support = await enterAs(browser, 'user_support')
  await support.goto('/console/logins')
  await expect(title(support, 'Logins')).toBeVisible()
  const editor = await enterAs(browser, 'application_editor')
  await expect(sections(editor).getByRole('link', { name: 'Logins' })).toHaveCount(0)
  expect((await editor.goto('/console/logins'))?.status()).toBeLessThan(500)
  await expect(title(editor, 'Logins')).toHaveCount(0)
})
