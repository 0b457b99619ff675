// The unmodified npm package `auth0-js` in a browser, including the retired implicit and password flows.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PASSWORD, PEOPLE } from '../people'
import { LoginPage } from '../screens/login-page'
import { expect, type SdkWorld, test } from '../sdk-fixtures'

test.describe.configure({ mode: 'default' })

const { kay, kim } = PEOPLE
const CALLBACK = '/classic/callback'

type Outcome = { error?: { code?: string; error?: string; description?: string }; result?: Record<string, unknown> }
type Heard = (error: object | null, result: object) => void
type WebAuth = Record<string, (options: object, done?: Heard) => void> & {
  client: Record<string, (options: object, done?: Heard) => void>
}
declare global {
  interface Window {
    classic: WebAuth
  }
}

async function open(page: Page, { domain }: SdkWorld, origin: string, options: object = {}): Promise<void> {
  if (!page.url().startsWith(`${origin}/classic`)) await page.goto(`${origin}/classic`)
  const given = {
    domain,
    clientID: 'e2e-kite',
    redirectUri: `${origin}${CALLBACK}`,
    responseType: 'token id_token',
    scope: 'openid profile email',
    ...options,
  }
  await page.evaluate((all) => {
    const { WebAuth } = window.auth0 as unknown as { WebAuth: new (options: object) => WebAuth }
    window.classic = new WebAuth(all)
  }, given)
}

/** The result that the method passed to its callback. */
const ask = (page: Page, method: string, options: object = {}, from: 'classic' | 'client' = 'classic') =>
  page.evaluate(
    ([name, given, where]) =>
      new Promise<Outcome>((resolve) => {
        const target = where === 'client' ? window.classic.client : window.classic
        target[name]?.(given, (error, result) =>
          resolve(JSON.parse(JSON.stringify(error ? { error } : { result: result ?? {} })) as Outcome),
        )
      }),
    [method, options, from] as const,
  )

/** A method that navigates away from the page. */
async function leave(page: Page, method: string, options: object = {}): Promise<void> {
  await page
    .evaluate(([name, given]) => window.classic[name]?.(given, () => {}), [method, options] as const)
    // The page is unloaded before it can respond.
    .catch(() => {})
}

async function hear(page: Page, world: SdkWorld, origin: string): Promise<Outcome> {
  await page.waitForURL(new RegExp(`^${origin}${CALLBACK}`))
  await open(page, world, origin)
  return ask(page, 'parseHash', { hash: new URL(page.url()).hash })
}

async function signIn(page: Page, world: SdkWorld, origin: string): Promise<Outcome> {
  await open(page, world, origin)
  await leave(page, 'authorize')
  await new LoginPage(page).signIn(kay.email)
  return hear(page, world, origin)
}

/** A profile for a browser that accepts third-party cookies, which it refuses by default. */
async function profileWithThirdPartyCookies(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-profile-'))
  await mkdir(join(folder, 'Default'))
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  return folder
}

const tokens = { accessToken: expect.any(String), idTokenPayload: expect.objectContaining({ email: kay.email }) }

test('signs in by redirect, with tokens in the fragment', async ({ page, world }) => {
  const { result } = await signIn(page, world, world.foreign)
  expect(result).toMatchObject({ ...tokens, tokenType: 'Bearer', expiresIn: 7200 })
  const user = await page.evaluate(
    (token) =>
      new Promise((done) =>
        (window.classic.client as never as { userInfo(token: unknown, heard: Heard): void }).userInfo(
          token,
          (_, found) => done(found),
        ),
      ),
    result?.accessToken,
  )
  expect(user).toMatchObject({ email: kay.email, sub: expect.stringMatching(/^auth0\|/) })
})

test('renews in a frame where app and server are of one site', async ({ page, world }) => {
  await signIn(page, world, world.app)
  expect((await ask(page, 'checkSession')).result).toMatchObject(tokens)
  await leave(page, 'logout', { returnTo: `${world.app}/bye` })
  await page.waitForURL(`${world.app}/bye`)
  await open(page, world, world.app)
  expect((await ask(page, 'checkSession')).error).toMatchObject({ code: 'login_required' })
})

test('signs in in a popup', async ({ page, world }) => {
  await open(page, world, world.foreign)
  const opened = page.waitForEvent('popup')
  const done = page.evaluate(
    ([domain, redirectUri]) => {
      localStorage.domain = domain
      const { popup } = window.classic as never as { popup: { authorize(options: object, heard: Heard): void } }
      return new Promise((resolve) => popup.authorize({ redirectUri }, (error, result) => resolve(error ?? result)))
    },
    [world.domain, `${world.foreign}/classic/popup`] as const,
  )
  await new LoginPage(await opened).signIn(kay.email)
  expect(await done).toMatchObject(tokens)
})

test("logs in from the app's own form", async ({ page, world }) => {
  await open(page, world, world.app)
  await leave(page, 'login', { realm: 'People', username: kay.email, password: PASSWORD })
  expect((await hear(page, world, world.app)).result).toMatchObject(tokens)
})

test("logs in from the app's own form on another site, where the browser takes third-party cookies", async ({
  launchOptions,
  playwright,
  world,
}) => {
  const folder = await profileWithThirdPartyCookies()
  const context = await playwright.chromium.launchPersistentContext(folder, {
    ...launchOptions,
    ignoreHTTPSErrors: true,
  })
  const page = await context.newPage()
  await open(page, world, world.foreign)
  await leave(page, 'login', { realm: 'People', username: kay.email, password: PASSWORD })
  expect((await hear(page, world, world.foreign)).result).toMatchObject(tokens)
  await context.close()
  await rm(folder, { recursive: true, force: true })
})

test('shows the login page where the browser refuses them', async ({ loginPage, page, world }) => {
  await open(page, world, world.foreign)
  await leave(page, 'login', { realm: 'People', username: kay.email, password: PASSWORD })
  await loginPage.expectShown()
  await loginPage.signIn(kay.email)
  expect((await hear(page, world, world.foreign)).result).toMatchObject(tokens)
})

test("says in the app's own form that the password was wrong, and asks again", async ({ page, world }) => {
  await open(page, world, world.app)
  const { error } = await ask(page, 'login', { realm: 'People', username: kim.email, password: 'wrong' })
  expect(error).toMatchObject({ code: 'access_denied', description: 'Wrong email or password.' })
  await leave(page, 'login', { realm: 'People', username: kim.email, password: PASSWORD })
  expect((await hear(page, world, world.app)).result).toMatchObject({
    idTokenPayload: expect.objectContaining({ email: kim.email }),
  })
})

test("logs in from the app's own form without leaving the page", async ({ page, world }) => {
  await open(page, world, world.app)
  const login = { realm: 'People', username: kay.email, password: PASSWORD }
  const popup = await page.evaluate(
    (given) =>
      new Promise((done) => {
        const { popup } = window.classic as never as {
          popup: { loginWithCredentials(options: object, heard: Heard): void }
        }
        popup.loginWithCredentials(given, (error, result) => done(error ?? result))
      }),
    login,
  )
  expect(popup).toMatchObject(tokens)
})

test('lets no page of a foreign origin try a password', async ({ page, world }) => {
  const origin = world.foreign.replace('app.e2e', 'evil.e2e')
  await open(page, world, origin, { redirectUri: `${world.foreign}${CALLBACK}` })
  const { error } = await ask(page, 'login', { realm: 'People', username: kay.email, password: PASSWORD })
  expect(error).toMatchObject({ code: 'request_error' })
})

test('trades a password for tokens (password-realm and the default directory)', async ({ page, world }) => {
  await open(page, world, world.foreign)
  const given = { realm: 'People', username: kay.email, password: PASSWORD, scope: 'openid email' }
  const { result } = await ask(page, 'login', given, 'client')
  expect(result).toMatchObject({ accessToken: expect.any(String), idToken: expect.any(String) })
  const wrong = await ask(page, 'login', { ...given, password: 'wrong' }, 'client')
  expect(wrong.error).toMatchObject({ code: 'invalid_grant', description: 'Wrong email or password.' })
})

test('signs up, requests a new password, and logs the new user in', async ({ page, world }) => {
  const person = { email: 'newcomer@e2e.test', password: 'a much longer secret 1863' }
  await open(page, world, world.app)
  const { error, result } = await ask(page, 'signup', { connection: 'People', ...person })
  expect(error).toBeUndefined()
  expect(result).toMatchObject({ email: person.email, emailVerified: false })
  const again = await ask(page, 'signup', { connection: 'People', ...person })
  expect(again.error).toMatchObject({ code: 'invalid_signup' })
  const weak = await ask(page, 'signup', { connection: 'People', email: 'other@e2e.test', password: 'short' })
  expect(weak.error).toMatchObject({ code: 'invalid_password', policy: expect.any(String) })
  const changed = await ask(page, 'changePassword', { connection: 'People', email: person.email })
  expect(changed.error).toBeUndefined()
  await leave(page, 'login', { realm: 'People', username: person.email, password: person.password })
  expect((await hear(page, world, world.app)).result).toMatchObject({
    idTokenPayload: expect.objectContaining({ email: person.email }),
  })
})

test('asks whether a captcha is needed', async ({ page, world }) => {
  await open(page, world, world.app, { state: 'any' })
  const challenge = await page.evaluate(
    () =>
      new Promise((done) => {
        const client = window.classic.client as never as { getChallenge(heard: Heard): void }
        client.getChallenge((error, result) => done(error ?? result))
      }),
  )
  expect(challenge).toMatchObject({ required: false })
})

/** The code in the newest message. */
async function codeTo(page: Page, { domain }: SdkWorld, to: string): Promise<string> {
  const newest = async () => {
    const answer = await page.request.get(`https://${domain}/dev/outbox.json?${new URLSearchParams({ to })}`)
    const [message] = (await answer.json()) as { code: string | null }[]
    return message?.code ?? ''
  }
  await expect.poll(newest).not.toBe('')
  return newest()
}

test('signs in with a mailed code, requested and verified from a page of another site', async ({ page, world }) => {
  const email = 'kit@classic.test'
  await open(page, world, world.foreign)
  const started = await ask(page, 'passwordlessStart', { connection: 'email', send: 'code', email })
  expect(started.result).toMatchObject({})
  const verificationCode = await codeTo(page, world, email)
  const bad = { connection: 'email', email, verificationCode: verificationCode === '000000' ? '111111' : '000000' }
  const { error } = await ask(page, 'passwordlessVerify', bad)
  expect(error).toMatchObject({ code: 'invalid_user_password', description: 'Wrong email or verification code.' })
  await leave(page, 'passwordlessVerify', { connection: 'email', email, verificationCode })
  expect((await hear(page, world, world.foreign)).result).toMatchObject({
    idTokenPayload: expect.objectContaining({ email, sub: expect.stringMatching(/^email\|/) }),
  })
})

test("logs in by a mailed code from the app's own form", async ({ page, world }) => {
  const email = 'kat@classic.test'
  await open(page, world, world.app)
  await ask(page, 'passwordlessStart', { connection: 'email', send: 'code', email })
  const verificationCode = await codeTo(page, world, email)
  await leave(page, 'passwordlessLogin', { connection: 'email', email, verificationCode })
  expect((await hear(page, world, world.app)).result).toMatchObject({
    idTokenPayload: expect.objectContaining({ email }),
  })
})
