// The unmodified npm package `@auth0/auth0-spa-js` in a browser.
import type { Page } from '@playwright/test'
import { PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { expect, type SdkWorld, test } from '../sdk-fixtures'

test.describe.configure({ mode: 'default' })

const { kay } = PEOPLE
const CALLBACK = '/spa/callback'

/** The SDK methods that the tests call. They have no types here, because they run in the page. */
type Sdk = {
  loginWithRedirect(): Promise<void>
  loginWithPopup(): Promise<void>
  handleRedirectCallback(): Promise<unknown>
  getTokenSilently(options?: object): Promise<string>
  getUser(): Promise<Record<string, unknown> | undefined>
  getIdTokenClaims(): Promise<Record<string, unknown> | undefined>
  isAuthenticated(): Promise<boolean>
  revokeRefreshToken(): Promise<void>
  logout(options: object): Promise<void>
}
declare global {
  interface Window {
    sdk: Sdk
    auth0: { Auth0Client: new (options: object) => Sdk }
  }
}

/** Opens the app's page and starts the SDK, as the app's script would. */
async function open(page: Page, { domain }: SdkWorld, address: string, options: object = {}): Promise<void> {
  await page.goto(address)
  await start(page, domain, options)
}

async function start(page: Page, domain: string, options: object = {}): Promise<void> {
  const given = {
    domain,
    clientId: 'e2e-kite',
    authorizationParams: { redirect_uri: new URL(CALLBACK, page.url()).href, scope: 'openid profile email' },
    ...options,
  }
  await page.evaluate((all) => {
    window.sdk = new window.auth0.Auth0Client(all)
  }, given)
}

async function signIn(page: Page, world: SdkWorld, origin: string, options: object = {}): Promise<void> {
  await open(page, world, `${origin}/spa`, options)
  await page.evaluate(() => window.sdk.loginWithRedirect())
  await new LoginPage(page).signIn(kay.email)
  await page.waitForURL(`${origin}${CALLBACK}?**`)
  await start(page, world.domain, options)
  await page.evaluate(() => window.sdk.handleRedirectCallback())
}

const userOf = (page: Page) => page.evaluate(() => window.sdk.getUser())
const silently = (page: Page, options: object = {}) =>
  page.evaluate((all) => window.sdk.getTokenSilently(all).catch((error: { error: string }) => error.error), options)

test('signs in by redirect', async ({ page, world }) => {
  await signIn(page, world, world.foreign)
  expect(await userOf(page)).toMatchObject({ email: kay.email, name: kay.name, email_verified: true })
  expect(await page.evaluate(() => window.sdk.getIdTokenClaims())).toMatchObject({
    aud: 'e2e-kite',
    sid: expect.any(String),
  })
  expect(await page.evaluate(() => window.sdk.isAuthenticated())).toBe(true)
})

test('renews silently in a frame where app and server are of one site', async ({ page, world }) => {
  await signIn(page, world, world.app)
  const first = await silently(page)
  expect(await silently(page)).toBe(first)
  const renewed = await silently(page, { cacheMode: 'off' })
  expect(renewed).not.toBe(first)
  expect(renewed.length).toBeGreaterThan(20)
})

test('receives login_required in a frame without a session', async ({ page, world }) => {
  await open(page, world, `${world.app}/spa`)
  expect(await silently(page)).toBe('login_required')
})

test('renews by refresh token, from any site and without a frame', async ({ page, world }) => {
  const options = { useRefreshTokens: true, cacheLocation: 'localstorage', useRefreshTokensFallback: false }
  await signIn(page, world, world.foreign, options)
  const first = await silently(page)
  const second = await silently(page, { cacheMode: 'off' })
  const third = await silently(page, { cacheMode: 'off' })
  expect(new Set([first, second, third]).size).toBe(3)
  await page.reload()
  await start(page, world.domain, options)
  expect(await userOf(page)).toMatchObject({ email: kay.email })
})

test('keeps the refresh token in a worker, and gives it back', async ({ page, world }) => {
  await signIn(page, world, world.foreign, { useRefreshTokens: true })
  expect(await silently(page, { cacheMode: 'off' })).toEqual(expect.stringMatching(/.{20,}/))
  await page.evaluate(() => window.sdk.revokeRefreshToken())
  expect(await silently(page, { cacheMode: 'off' })).not.toMatch(/.{40,}/)
})

test('signs in in a popup', async ({ page, world }) => {
  await open(page, world, `${world.foreign}/spa`)
  const opened = page.waitForEvent('popup')
  const done = page.evaluate(() => window.sdk.loginWithPopup())
  const popup = await opened
  await new LoginPage(popup).signIn(kay.email)
  await done
  expect(await userOf(page)).toMatchObject({ email: kay.email })
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test('gets a token for an API', async ({ page, world }) => {
  const authorizationParams = {
    redirect_uri: `${world.foreign}${CALLBACK}`,
    audience: 'https://boats.e2e.test/',
    scope: 'openid profile email read:boats',
  }
  await signIn(page, world, world.foreign, { authorizationParams })
  const token = await silently(page)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ aud: expect.arrayContaining(['https://boats.e2e.test/']), azp: 'e2e-kite' })
  expect(claims.scope).toContain('read:boats')
})

test('logs out: the app forgets, and so does the server', async ({ loginPage, page, world }) => {
  await signIn(page, world, world.app)
  await page.evaluate((returnTo) => window.sdk.logout({ logoutParams: { returnTo } }), `${world.app}/bye`)
  await page.waitForURL(`${world.app}/bye`)
  await open(page, world, `${world.app}/spa`)
  expect(await page.evaluate(() => window.sdk.isAuthenticated())).toBe(false)
  expect(await silently(page)).toBe('login_required')
  await page.evaluate(() => window.sdk.loginWithRedirect())
  await loginPage.expectShown()
})
