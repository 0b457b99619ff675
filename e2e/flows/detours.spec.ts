// Journeys that leave the usual path: each ends at a page from which the user can continue.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { AppPage } from '../screens/app-page'
import { LoginPage } from '../screens/login-page'
import { NoticePage } from '../screens/notice-page'
import { expireLogin } from '../support/database'

const { kim, tab } = PEOPLE

/** Where the demo's tenant sends people without a login: its `default_redirection_uri`. */
const TENANT_PAGE = /\/demo\?iss=/

test('two logins side by side do not disturb each other', async ({ app, context, loginPage }) => {
  const second = await context.newPage()
  const otherApp = new AppPage(second, app.origin)
  await app.startLogin('spa')
  await otherApp.startLogin('web')
  await new LoginPage(second).signIn(tab.email)
  await otherApp.expectWelcome(tab.name)
  await loginPage.signIn(tab.email)
  await app.expectWelcome(tab.name)
  await expect(app.fact('aud')).toHaveText('e2e-spa')
})

test('the back button after a login leads to the page of the tenant', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.expectShown()
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  await page.goBack()
  await expect(page).toHaveURL(TENANT_PAGE)
})

test('the back button from the app and a second submit lead on', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.signIn(kim.email, 'wrong at first')
  await expect(loginPage.problem).toBeVisible()
  await page.goBack()
  await loginPage.expectShown()
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
})

test('a reload of the form changes nothing', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.expectShown()
  await page.reload()
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
})

test('a double click submits once', async ({ app, loginPage, page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await app.startLogin('spa')
  await loginPage.fill(kim.email)
  await loginPage.submit.dblclick()
  await app.expectWelcome(kim.name)
  expect(sent).toEqual(['/u/submit'])
})

test('a login page that was left open too long leads to the page of the tenant', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.expectShown()
  await expireLogin(page.url())
  await loginPage.signIn(kim.email)
  await expect(page).toHaveURL(TENANT_PAGE)
})

test('a login page in another browser is not continued there', async ({ app, browser, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.expectShown()
  const elsewhere = await (await browser.newContext({ locale: 'en' })).newPage()
  await new AppPage(elsewhere, app.origin).startLogin('spa')
  await elsewhere.goto(page.url())
  const there = new NoticePage(elsewhere)
  await there.expectTitle('This sign-in began in another browser')
  await there.wayOn.click()
  await expect(elsewhere).toHaveURL(TENANT_PAGE)
  await elsewhere.context().close()
})

test('a bookmarked login page leads to the page of the tenant', async ({ page }) => {
  await page.goto('/u/login')
  await expect(page).toHaveURL(TENANT_PAGE)
})

test('a login link of long ago, whose login is gone, leads there too', async ({ page }) => {
  await page.goto('/u/login?state=a-handle-that-nobody-knows')
  await expect(page).toHaveURL(TENANT_PAGE)
})

test('a replayed response is refused, and ends the session of the first one', async ({ app, loginPage, page }) => {
  const answers: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(`${app.origin}/callback`)) answers.push(request.url())
  })
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  const { access_token } = await app.tokens()
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await page.request.get('/userinfo', { headers })).status()).toBe(200)

  await page.goto(answers[0] ?? '')
  await app.expectRefusal('invalid_grant')
  expect((await page.request.get('/userinfo', { headers })).status()).toBe(401)
})

test('an invalid request is not redirected to the app, and the page explains why', async ({
  app,
  noticePage,
  page,
}) => {
  await app.startLogin('spa', { redirect_uri: 'http://evil.e2e.test/callback' })
  await noticePage.expectTitle('This return address isn’t allowed')
  await expect(page.getByText('http://evil.e2e.test/callback', { exact: true })).toBeVisible()
  await app.startLogin('spa', { client_id: 'nobody' })
  await noticePage.expectTitle('We don’t know this app')
})

test('without cookies the page says what to do', async ({ origins, launchOptions }) => {
  const profile = await mkdtemp(join(tmpdir(), 'latchkey-no-cookies-'))
  await mkdir(join(profile, 'Default'))
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(blocked))
  const context = await chromium.launchPersistentContext(profile, launchOptions)
  const page = await context.newPage()
  const noticePage = new NoticePage(page)
  await new AppPage(page, origins.foreign).startLogin('spa')
  await noticePage.expectTitle('Your browser is blocking cookies')
  await expect(noticePage.wayOn).toBeVisible()
  await context.close()
  await rm(profile, { recursive: true, force: true })
})
