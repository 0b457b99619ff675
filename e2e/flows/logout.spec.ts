import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import type { AppPage } from '../screens/app-page'
import type { LoginPage } from '../screens/login-page'

const { kim } = PEOPLE

async function signedIn(app: AppPage, loginPage: LoginPage): Promise<void> {
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
}

const path = (base: string, parameters: Record<string, string>): string => `${base}?${new URLSearchParams(parameters)}`

test.describe('/v2/logout', () => {
  test('with client_id goes to a logout URL of the application, and the session is over', async ({
    app,
    loginPage,
    page,
  }) => {
    await signedIn(app, loginPage)
    const cookies = await page.context().cookies()
    await page.goto(path('/v2/logout', { client_id: 'e2e-spa', returnTo: `${app.origin}/other-bye` }))
    await app.expectFarewell('/other-bye')

    // The session has ended at the server; the browser has not merely lost its cookie.
    await page.context().addCookies(cookies)
    await app.startLogin('spa', { prompt: 'none' })
    await app.expectRefusal('login_required')
  })

  test('with client_id and no returnTo goes to the first logout URL of the application', async ({
    app,
    loginPage,
    page,
    origins,
  }) => {
    await signedIn(app, loginPage)
    await page.goto(path('/v2/logout', { client_id: 'e2e-spa' }))
    await expect(page).toHaveURL(/\/bye$/)
    expect(Object.values(origins).map((origin) => new URL(origin).protocol)).toContain(new URL(page.url()).protocol)
    await app.startLogin('spa')
    await loginPage.expectShown()
  })

  test('without client_id goes to a logout URL of the tenant', async ({ app, loginPage, page }) => {
    await signedIn(app, loginPage)
    await page.goto(path('/v2/logout', { returnTo: `${app.origin}/tenant-bye` }))
    await app.expectFarewell('/tenant-bye')
  })

  const named = { client_id: 'e2e-spa' }
  for (const { what, client, returnTo } of [
    { what: 'an application’s URL without client_id', client: {}, returnTo: '/bye' },
    { what: 'the tenant’s URL with client_id', client: named, returnTo: '/tenant-bye' },
    { what: 'a stranger’s URL', client: named, returnTo: '/elsewhere' },
  ]) {
    test(`does not redirect to ${what}, and the user stays signed in`, async ({ app, loginPage, noticePage, page }) => {
      await signedIn(app, loginPage)
      await page.goto(path('/v2/logout', { ...client, returnTo: app.origin + returnTo }))
      await noticePage.expectTitle('We can’t send you on from here')
      await app.startLogin('spa', { prompt: 'none' })
      await app.expectWelcome(kim.name)
    })
  }
})

test.describe('/oidc/logout', () => {
  test('with the ID token signs out at once and goes back with the state', async ({ app, loginPage, page }) => {
    await signedIn(app, loginPage)
    const { id_token } = await app.tokens()
    const parameters = { id_token_hint: id_token, post_logout_redirect_uri: `${app.origin}/bye`, state: 's 1' }
    await page.goto(path('/oidc/logout', parameters))
    await app.expectFarewell('/bye?state=s%201')
    await app.startLogin('spa')
    await loginPage.expectShown()
  })

  test('without proof asks for confirmation, and acts on the response', async ({
    app,
    loginPage,
    noticePage,
    page,
  }) => {
    await signedIn(app, loginPage)
    const address = path('/oidc/logout', { client_id: 'e2e-spa', post_logout_redirect_uri: `${app.origin}/bye` })
    await page.goto(address)
    await noticePage.expectTitle('Sign out?')
    await expect(page.getByRole('main')).toContainText('Paper Planes wants to sign you out')
    await noticePage.stay.click()
    await app.startLogin('spa', { prompt: 'none' })
    await app.expectWelcome(kim.name)

    await page.goto(address)
    await noticePage.signOut.click()
    await app.expectFarewell()
    await app.startLogin('spa', { prompt: 'none' })
    await app.expectRefusal('login_required')
  })

  test('without a target shows that the user is signed out', async ({ app, loginPage, noticePage, page }) => {
    await signedIn(app, loginPage)
    await page.goto('/oidc/logout')
    await noticePage.signOut.click()
    await noticePage.expectTitle('You’re signed out')
  })

  test('does not go to a URL that is not registered', async ({ app, noticePage, page }) => {
    const parameters = { client_id: 'e2e-spa', post_logout_redirect_uri: `${app.origin}/elsewhere` }
    await page.goto(path('/oidc/logout', parameters))
    await noticePage.expectTitle('We can’t send you on from here')
  })
})
