// The search for everything, and the keys of the console.
import { expect, test } from '../fixtures'
import { ADA, PEOPLE } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, title } from '../support/console'

test.slow()

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const FOREIGN = `${part({ alg: 'RS256', kid: 'other' })}.${part({ sub: 'somebody', iss: 'https://elsewhere.test/' })}.c2ln`
const SAML = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">urn:shop</saml:Issuer></samlp:AuthnRequest>`

test('an address leads to its user, and a pasted token or message is decoded and in no address', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await enter(page, '/console', ADA)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const input = dialog.getByRole('combobox')
  await expect(input).toBeFocused()
  await expectAccessible(page, 'the search for everything')
  await input.fill(PEOPLE.kim.email)
  await expect(dialog.getByRole('option', { name: /Kim Ito/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(title(page, PEOPLE.kim.name)).toBeVisible()

  await page.getByRole('link', { name: 'Search', exact: false }).first().click()
  await expect(dialog.getByRole('option', { name: PEOPLE.kim.name })).toBeVisible()
  await input.fill(FOREIGN)
  await expect(dialog.getByText('None of the keys of this tenant signed it.')).toBeVisible()
  await expect(dialog.getByText('https://elsewhere.test/')).toBeVisible()
  await input.fill(Buffer.from(SAML).toString('base64'))
  await expect(dialog.getByText('urn:shop').first()).toBeVisible()
  await expectAccessible(page, 'a decoded message')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'a decoded message on a phone')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(requested.filter((url) => url.includes(FOREIGN.slice(0, 20)) || url.includes('SAML'))).toEqual([])
  expect(errors).toEqual([])

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(title(page, 'You are signed out')).toBeVisible()
  expect(await page.evaluate(() => window.localStorage.getItem('latchkey-console.recent'))).toBeNull()
})

test('single keys move, open and explain, not in fields, and not where they are turned off', async ({ page }) => {
  await enter(page, '/console', ADA)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(title(page, 'Applications')).toBeVisible()
  const first = page.locator('.co-table .co-row-link').first()
  await expect(first).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(first).toBeFocused()
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('gu?')
  await expect(search).toHaveValue('gu?')
  await expect(title(page, 'Applications')).toBeVisible()
  await search.fill('')
  await expect(first).toBeVisible()
  await page.keyboard.press('Escape')
  await first.focus()
  const name = (await first.textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(title(page, name)).toBeVisible()

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toContainText('Next row of a list')
  await expectAccessible(page, 'the keyboard shortcuts')
  await dialog.getByRole('checkbox', { name: 'Single keys are shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(title(page, name)).toBeVisible()
})

test('an application editor finds applications and no users', async ({ browser }) => {
  const editor = await enterAs(browser, 'Application editor')
  await editor.waitForLoadState('networkidle')
  await editor.keyboard.press('Control+k')
  const dialog = editor.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill('Field Notes')
  await expect(dialog.getByRole('option', { name: /Field Notes/ }).first()).toBeVisible()
  await dialog.getByRole('combobox').fill(PEOPLE.kim.email)
  await expect(dialog.getByText('Nothing was found.')).toBeVisible()
  await expect(dialog.getByRole('option', { name: 'Users' })).toHaveCount(0)
  await editor.context().close()
})

test('without JavaScript, a page searches for everything', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console', ADA)
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('Kim Ito')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: 'Kim Ito' }).click()
  await expect(title(page, PEOPLE.kim.name)).toBeVisible()
  await context.close()
})

test('a question from a foreign origin is refused', async ({ page }) => {
  await enter(page, '/console', ADA)
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  for (const [path, form] of [
    ['ask', { text: 'kim' }],
    ['pick', { kind: 'users', text: 'kim' }],
  ] as const) {
    const answer = await page.request.post(`/console/find/${path}`, { headers, form })
    expect(answer.status(), path).toBe(403)
  }
})

test('a picker finds what the person may list, and nothing for a stranger or of another kind', async ({
  page,
  browser,
  baseURL,
}) => {
  await enter(page, '/console', ADA)
  const headers = { origin: baseURL ?? '', 'sec-fetch-site': 'same-origin' }
  const pick = (context: typeof page.request, kind: string) =>
    context.post('/console/find/pick', { headers, form: { kind, text: 'Kim' } })
  expect(await (await pick(page.request, 'users')).json()).toMatchObject({ objects: [{ label: PEOPLE.kim.name }] })
  expect((await pick(page.request, '__proto__')).status()).toBe(400)
  const editor = await enterAs(browser, 'Application editor')
  expect(await (await pick(editor.request, 'users')).json()).toEqual({ objects: [] })
  await editor.context().close()
  const stranger = await browser.newContext()
  expect((await pick(stranger.request, 'users')).status()).toBe(401)
  await stranger.close()
})
