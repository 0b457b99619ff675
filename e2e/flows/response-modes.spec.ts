import { expect, test } from '../fixtures'
import { SERVER } from '../origins'
import { NOTES_API, PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'

const { fay, kim } = PEOPLE

for (const response_mode of ['query', 'fragment', 'form_post']) {
  test(`answers by ${response_mode}`, async ({ app, loginPage }) => {
    await app.startLogin('spa', { response_mode })
    await loginPage.signIn(kim.email)
    await app.expectWelcome(kim.name)
    await app.startLogin('spa', { response_mode, prompt: 'none' })
    await app.expectWelcome(kim.name)
  })

  test(`refuses by ${response_mode}`, async ({ app }) => {
    await app.startLogin('spa', { response_mode, prompt: 'none' })
    await app.expectRefusal('login_required', 'Login required')
  })
}

test('posts the answer under this server’s origin, by a page that asks for nothing it forbids', async ({
  app,
  loginPage,
  page,
}) => {
  const forbidden: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) forbidden.push(message.text())
  })
  const posting = page.waitForRequest((request) => request.method() === 'POST' && request.url().startsWith(app.origin))
  await app.startLogin('spa', { response_mode: 'form_post' })
  await loginPage.signIn(kim.email)
  const { origin } = await (await posting).allHeaders()
  await app.expectWelcome(kim.name)
  expect([origin, forbidden]).toEqual([SERVER, []])
})

test('answers a frame of an app on the same site by web_message', async ({
  consentPage,
  loginPage,
  neighbour,
  page,
}) => {
  const audience = NOTES_API
  const silent = `${neighbour.origin}/silent?${new URLSearchParams({ app: 'spa', audience })}`
  await page.goto(silent)
  await expect(page.getByRole('status')).toHaveText('login_required')

  await neighbour.startLogin('spa', { audience })
  await loginPage.signIn(fay.email)
  // Any program may listen on localhost, so even a first-party app needs consent there before it uses an API.
  await consentPage.expectShown('Paper Planes')
  await page.goto(silent)
  await expect(page.getByRole('status')).toHaveText('login_required')

  await neighbour.startLogin('spa', { audience })
  await loginPage.signIn(fay.email)
  await consentPage.allow.click()
  await neighbour.expectWelcome(fay.name)
  await page.goto(silent)
  await neighbour.expectWelcome(fay.name)
})

test('returns only login_required to a frame of an app on another site', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  await page.goto(`${app.origin}/silent?app=spa`)
  await expect(page.getByRole('status')).toHaveText('login_required')
})

test('signs in in a popup, which the app then closes', async ({ app, page }) => {
  await page.goto(`${app.origin}/popup?app=spa`)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const popup = await opened
  await new LoginPage(popup).signIn(kim.email)
  await app.expectWelcome(kim.name)
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test('lets no app put the login page into a frame', async ({ app, page }) => {
  await page.goto(app.origin)
  const login = app.loginUrl('spa')
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    document.body.append(frame)
  }, login)
  // The browser's error page instead of the page that refused to be framed.
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'Sign in' })).toHaveCount(0)
})
