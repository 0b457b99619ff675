// The MFA API of the unmodified npm package `@auth0/auth0-spa-js` in a browser, on a page of another site: an app with its own
// login form. The server answers its password with a demand for a second factor. Codes come from `otpauth`.
import type { Page } from '@playwright/test'
import { PASSWORD, PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { AuthenticatorApp, MfaPage } from '../screens/mfa-page'
import { expect, type SdkWorld, test } from '../sdk-fixtures'

test.describe.configure({ mode: 'default' })

const { otis, sia, pia, stig } = PEOPLE
const MULTI_FACTOR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

type Answer = Record<string, unknown> & { error?: string; error_description?: string }
type MfaApi = Record<'getAuthenticators' | 'getEnrollmentFactors' | 'enroll' | 'challenge' | 'verify', Call> & {
  setMFAAuthDetails(token: string, scope: string, audience: undefined, requirements: unknown): void
}
type Call = (given: unknown) => Promise<unknown>
type Sdk = {
  mfa: MfaApi
  loginWithRedirect(): Promise<void>
  handleRedirectCallback(): Promise<unknown>
  getTokenSilently(options?: object): Promise<string>
  getUser(): Promise<object | undefined>
  getIdTokenClaims(): Promise<Record<string, unknown> | undefined>
}
type WithSdk = { strongSdk: Sdk; auth0: { Auth0Client: new (options: object) => Sdk } }

async function start(page: Page, { domain }: SdkWorld, options: object = {}): Promise<void> {
  const given = {
    domain,
    clientId: 'e2e-kite-store',
    useRefreshTokens: true,
    cacheLocation: 'localstorage',
    ...options,
  }
  await page.evaluate((all) => {
    const here = window as unknown as WithSdk
    here.strongSdk = new here.auth0.Auth0Client(all)
  }, given)
}

/** The app's own form passes the response of the password grant to the SDK. */
async function logIn(page: Page, world: SdkWorld, email: string, clientId = 'e2e-kite-store'): Promise<string> {
  await page.goto(`${world.foreign}/spa`)
  await start(page, world, { clientId })
  return page.evaluate(
    async ([address, body]) => {
      const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(body) })
      const { error, mfa_token, mfa_requirements } = await answer.json()
      if (answer.status !== 403 || error !== 'mfa_required') throw new Error(`${answer.status} ${error}`)
      const { mfa } = (window as unknown as WithSdk).strongSdk
      mfa.setMFAAuthDetails(mfa_token, body.scope, undefined, mfa_requirements)
      return mfa_token as string
    },
    [
      `https://${world.domain}/oauth/token`,
      {
        grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
        client_id: clientId,
        realm: 'People',
        username: email,
        password: PASSWORD,
        scope: 'openid profile email offline_access',
      },
    ] as const,
  )
}

/** The SDK's result, or the error that it threw. */
const call = (page: Page, method: Exclude<keyof MfaApi, 'setMFAAuthDetails'>, given: unknown): Promise<Answer> =>
  page.evaluate(
    ([name, all]) =>
      (window as unknown as WithSdk).strongSdk.mfa[name](all).then(
        (value) => value as Answer,
        ({ name, error, error_description }) => ({ name, error, error_description }),
      ),
    [method, given] as const,
  )

const userOf = (page: Page) => page.evaluate(() => (window as unknown as WithSdk).strongSdk.getUser())

async function codeTo(page: Page, { domain }: SdkWorld, to: string, before = ''): Promise<string> {
  const newest = async () => {
    const answer = await page.request.get(`https://${domain}/dev/outbox.json?${new URLSearchParams({ to })}`)
    const [message] = (await answer.json()) as { code: string | null }[]
    return message?.code ?? before
  }
  await expect.poll(newest).not.toBe(before)
  return newest()
}

test('an authenticator app is enrolled, required, refused when wrong, and replaced by the recovery code', async ({
  page,
  world,
}) => {
  const first = await logIn(page, world, otis.email)
  expect(await call(page, 'getEnrollmentFactors', first)).toEqual(
    expect.arrayContaining([{ type: 'otp' }, { type: 'phone' }, { type: 'push-notification' }]),
  )
  expect(await call(page, 'getAuthenticators', first)).toEqual([])
  const enrolled = await call(page, 'enroll', { mfaToken: first, factorType: 'otp' })
  expect(enrolled).toMatchObject({ authenticatorType: 'otp', barcodeUri: expect.stringMatching(/^otpauth:\/\/totp\//) })
  const [recoveryCode] = enrolled.recoveryCodes as string[]
  const phone = new AuthenticatorApp(String(enrolled.secret))
  const wrong = await call(page, 'verify', { mfaToken: first, otp: '000000' })
  expect(wrong).toMatchObject({ error: 'invalid_grant', error_description: expect.stringContaining('otp') })
  expect(await call(page, 'verify', { mfaToken: first, otp: phone.next() })).toMatchObject({
    access_token: expect.any(String),
    id_token: expect.any(String),
  })
  expect(await userOf(page)).toMatchObject({ email: otis.email, name: otis.name })
  const renew = () =>
    page.evaluate(() => (window as unknown as WithSdk).strongSdk.getTokenSilently({ cacheMode: 'off' }))
  expect(await renew()).not.toBe(await renew())

  const second = await logIn(page, world, otis.email)
  expect(await call(page, 'getEnrollmentFactors', second)).toEqual([])
  const [app] = (await call(page, 'getAuthenticators', second)) as unknown as Answer[]
  expect(app).toMatchObject({ authenticatorType: 'otp', active: true, type: 'otp' })
  expect(await call(page, 'enroll', { mfaToken: second, factorType: 'otp' })).toMatchObject({ error: 'access_denied' })
  const challengeRequest = { mfaToken: second, challengeType: 'otp', authenticatorId: app?.id }
  expect(await call(page, 'challenge', challengeRequest)).toEqual({ challengeType: 'otp' })
  expect(await call(page, 'verify', { mfaToken: second, otp: phone.next() })).toHaveProperty('access_token')
  const claims = await page.evaluate(() => (window as unknown as WithSdk).strongSdk.getIdTokenClaims())
  expect(claims).toMatchObject({ acr: MULTI_FACTOR, amr: expect.arrayContaining(['mfa']) })

  const third = await logIn(page, world, otis.email)
  const replaced = await call(page, 'verify', { mfaToken: third, recoveryCode })
  expect(replaced).toMatchObject({
    access_token: expect.any(String),
    recovery_code: expect.stringMatching(/^[A-Z0-9]{24}$/),
  })
  expect(replaced.recovery_code).not.toBe(recoveryCode)
})

test('a phone is enrolled with its number and a code by text message, and the wrong part is named', async ({
  page,
  world,
}) => {
  const phoneNumber = '+4915123456707'
  const first = await logIn(page, world, sia.email)
  const refused = await call(page, 'enroll', { mfaToken: first, factorType: 'sms', phoneNumber: '0151' })
  expect(refused).toMatchObject({ error: 'invalid_request' })
  const enrolled = await call(page, 'enroll', { mfaToken: first, factorType: 'sms', phoneNumber })
  expect(enrolled).toMatchObject({ authenticatorType: 'oob', oobChannel: 'sms', bindingMethod: 'prompt' })
  const sent = await codeTo(page, world, phoneNumber)
  const answer = { mfaToken: first, oobCode: enrolled.oobCode, bindingCode: sent }
  expect(await call(page, 'verify', answer)).toHaveProperty('access_token')

  const second = await logIn(page, world, sia.email)
  const [phone] = (await call(page, 'getAuthenticators', second)) as unknown as Answer[]
  expect(phone).toMatchObject({ authenticatorType: 'oob', type: 'phone', name: expect.stringMatching(/^X+6707$/) })
  const challengeRequest = { mfaToken: second, challengeType: 'oob', authenticatorId: phone?.id }
  const { oobCode, bindingMethod } = await call(page, 'challenge', challengeRequest)
  expect(bindingMethod).toBe('prompt')
  const code = await codeTo(page, world, phoneNumber, sent)
  const guess = { mfaToken: second, oobCode, bindingCode: code === '000000' ? '111111' : '000000' }
  expect(await call(page, 'verify', guess)).toMatchObject({ error: 'invalid_grant' })
  expect(await call(page, 'verify', { ...guess, bindingCode: code })).toHaveProperty('access_token')
  expect(await userOf(page)).toMatchObject({ email: sia.email })
})

test('a device that approves is connected by its QR code, and then prompted', async ({ browser, page, world }) => {
  const device = await browser.newContext({ ignoreHTTPSErrors: true })
  const phone = await device.newPage()
  const first = await logIn(page, world, pia.email, 'e2e-kite-tower')
  const enrolled = await call(page, 'enroll', { mfaToken: first, factorType: 'push' })
  expect(enrolled).toMatchObject({ authenticatorType: 'oob', oobChannel: 'auth0', oobCode: expect.any(String) })
  await phone.goto(String(enrolled.barcodeUri))
  await phone.getByRole('button', { name: 'Connect this device' }).click()
  await phone.getByRole('link', { name: 'Open sign-ins to approve' }).click()
  expect(await call(page, 'verify', { mfaToken: first, oobCode: enrolled.oobCode })).toHaveProperty('access_token')

  const second = await logIn(page, world, pia.email, 'e2e-kite-tower')
  const { oobCode } = await call(page, 'challenge', { mfaToken: second, challengeType: 'oob' })
  const poll = () => call(page, 'verify', { mfaToken: second, oobCode })
  expect(await poll()).toMatchObject({ error: 'authorization_pending' })
  expect(await poll()).toMatchObject({ error: 'slow_down' })
  await phone.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.getByRole('heading', { name: 'Approved' })).toBeVisible()
  expect(await poll()).toHaveProperty('access_token')
  await device.close()
})

test('silent renewal reports that a factor is required, and the SDK’s popup requests it', async ({ page, world }) => {
  const options = {
    clientId: 'e2e-kite',
    useRefreshTokens: false,
    interactiveErrorHandler: 'popup',
    authorizationParams: { redirect_uri: `${world.app}/spa/callback`, scope: 'openid profile email' },
  }
  await page.goto(`${world.app}/spa`)
  await start(page, world, options)
  await page.evaluate(() => (window as unknown as WithSdk).strongSdk.loginWithRedirect())
  await new LoginPage(page).signIn(stig.email)
  await page.waitForURL(`${world.app}/spa/callback?**`)
  await start(page, world, options)
  await page.evaluate(() => (window as unknown as WithSdk).strongSdk.handleRedirectCallback())
  const opened = page.waitForEvent('popup')
  const renewed = page.evaluate(
    (acr_values) =>
      (window as unknown as WithSdk).strongSdk.getTokenSilently({
        cacheMode: 'off',
        authorizationParams: { acr_values },
      }),
    MULTI_FACTOR,
  )
  await enrollIn(await opened)
  expect(await renewed).toEqual(expect.stringMatching(/.{20,}/))
  const claims = await page.evaluate(() => (window as unknown as WithSdk).strongSdk.getIdTokenClaims())
  expect(claims).toMatchObject({ acr: MULTI_FACTOR })
})

async function enrollIn(popup: Page): Promise<void> {
  const mfa = new MfaPage(popup)
  await mfa.choose('Authenticator app')
  await mfa.enter((await mfa.scan()).next())
  await mfa.keepRecoveryCode()
}
