// SAML and WS-Federation with third-party applications and providers, each on a separate site.
import { expect, test } from '../federation-fixtures'
import { PASSWORD, PEOPLE } from '../people'
import type { LoginPage } from '../screens/login-page'

// One environment for all tests, since its start takes longer than the tests.
test.describe.configure({ mode: 'default' })

const { kim } = PEOPLE
const RELAY_STATE = 'deep/link?a=1&b=ü +'

async function signIn(loginPage: LoginPage): Promise<void> {
  await loginPage.identify(kim.email)
  await loginPage.password.fill(PASSWORD)
  await loginPage.submit.click()
}

test.describe('into a SAML application', () => {
  for (const app of ['chart', 'compass'] as const) {
    for (const binding of ['redirect', 'post']) {
      test(`a user of ${app} signs in by the ${binding} binding`, async ({ apps, loginPage }) => {
        const sp = apps[app]
        await sp.startLogin({ binding, relayState: RELAY_STATE })
        await signIn(loginPage)
        await sp.expectSignedIn(kim.name, { relayState: RELAY_STATE })
      })
    }
  }

  test('a session signs in to a second application without a form', async ({ apps, loginPage }) => {
    const { chart, compass } = apps
    await chart.startLogin()
    await signIn(loginPage)
    await chart.expectSignedIn(kim.name)
    await compass.startLogin({ binding: 'post' })
    await compass.expectSignedIn(kim.name)
  })

  test('a login that starts at the application finishes there', async ({ apps, loginPage, page, world }) => {
    const { chart } = apps
    await page.goto(`${world.url}/samlp/e2e-chart?RelayState=deep`)
    await signIn(loginPage)
    await chart.expectSignedIn(kim.name, { relayState: 'deep' })
  })
})

test.describe('from a SAML provider', () => {
  test('a provider that is chosen on the login page signs the user in', async ({
    apps,
    loginPage,
    providerPage,
    page,
  }) => {
    const { compass } = apps
    await compass.startLogin()
    await loginPage.expectShown()
    await page.getByRole('button', { name: 'Continue with The Guild' }).click()
    await providerPage.expectShown('guild')
    await providerPage.enter('lea')
    await compass.expectSignedIn('lea of the guild')
  })

  test('a provider that is found by the domain of an address signs the user in', async ({
    apps,
    loginPage,
    providerPage,
  }) => {
    const { chart } = apps
    await chart.startLogin({ binding: 'post' })
    await loginPage.identify('lea@guild.e2e.test')
    await providerPage.enter('lea')
    await chart.expectSignedIn('lea of the guild')
  })

  test('a provider that gets its request by a form signs the user in with an encrypted answer', async ({
    apps,
    providerPage,
    page,
    world,
  }) => {
    const { chart } = apps
    await page.goto(`${world.url}/samlp/e2e-chart?connection=vault`)
    await providerPage.enter('max')
    await chart.expectSignedIn('max of the guild')
  })

  test('a login that starts at the identity provider finishes at the application', async ({
    apps,
    providerPage,
    page,
    world,
  }) => {
    const { chart } = apps
    await page.goto(`${world.origins.guild}/start/guild`)
    await providerPage.enter('nia')
    await chart.expectSignedIn('nia of the guild')
  })

  test('a login that starts at the identity provider leaves another signed-in user signed in', async ({
    apps,
    loginPage,
    noticePage,
    providerPage,
    page,
    world,
  }) => {
    const { chart, compass } = apps
    await compass.startLogin()
    await signIn(loginPage)
    await compass.expectSignedIn(kim.name)
    await page.goto(`${world.origins.guild}/start/guild`)
    await providerPage.enter('nia')
    await noticePage.expectTitle('This sign-in can’t be completed')
    expect(await chart.isSignedIn()).toBe(false)
    await compass.startLogin()
    await compass.expectSignedIn(kim.name)
  })
})

test.describe('single logout', () => {
  for (const from of ['chart', 'compass'] as const) {
    test(`from ${from} reaches every other application`, async ({ apps, loginPage, page, world }) => {
      const { chart, compass, logbook, tower } = apps
      await chart.startLogin()
      await signIn(loginPage)
      await chart.expectSignedIn(kim.name)
      for (const app of [compass, logbook, tower]) {
        await app.startLogin()
        await app.expectSignedIn(kim.name)
      }

      const initiator = apps[from]
      await initiator.signOut()
      await initiator.expectLoggedOut({ relayState: 'from the app' })
      for (const app of [chart, compass, logbook]) expect(await app.isSignedIn()).toBe(false)
      await expect.poll(() => tower.isSignedIn()).toBe(false)
      await page.goto(`${world.url}/samlp/e2e-chart`)
      await loginPage.expectShown()
    })
  }

  test('from the SAML provider reaches the application of its session', async ({ apps, providerPage, page, world }) => {
    const { chart } = apps
    await page.goto(`${world.url}/samlp/e2e-chart?connection=guild`)
    await providerPage.enter('ria')
    await chart.expectSignedIn('ria of the guild')
    await page.goto(`${world.origins.guild}/slo`)
    await expect(page).toHaveURL((url) => url.href.startsWith(`${world.origins.guild}/slo?`))
    expect(await chart.isSignedIn()).toBe(false)
    await page.goto(`${world.url}/samlp/e2e-chart?connection=guild`)
    await providerPage.expectShown('guild')
  })

  test('from the OpenID application reaches both SAML applications', async ({ apps, loginPage }) => {
    const { chart, compass, tower } = apps
    await tower.startLogin()
    await signIn(loginPage)
    await tower.expectSignedIn(kim.name)
    for (const app of [chart, compass]) {
      await app.startLogin()
      await app.expectSignedIn(kim.name)
    }
    await tower.signOut()
    await expect(tower.page).toHaveURL(`${tower.origin}/bye`)
    for (const app of [chart, compass, tower]) expect(await app.isSignedIn()).toBe(false)
  })
})

test.describe('WS-Federation', () => {
  test('a user signs in to an application by WS-Federation and out of it again', async ({ apps, loginPage }) => {
    const { logbook } = apps
    await logbook.startLogin({ wctx: RELAY_STATE })
    await signIn(loginPage)
    await logbook.expectSignedIn(kim.name, { wctx: RELAY_STATE })
    await logbook.signOut()
    await logbook.expectLoggedOut({})
    await logbook.startLogin()
    await loginPage.expectShown()
  })

  test('a provider signs the user in to an application that speaks WS-Federation too', async ({
    apps,
    loginPage,
    providerPage,
    page,
  }) => {
    const { logbook } = apps
    await logbook.startLogin()
    await loginPage.expectShown()
    await page.getByRole('button', { name: 'Continue with The Mill' }).click()
    await providerPage.expectShown('mill')
    await providerPage.enter('ole')
    await logbook.expectSignedIn('ole of the mill')
  })

  test('an application leads straight to the provider that it names', async ({ apps, providerPage }) => {
    const { logbook } = apps
    await logbook.startLogin({ whr: 'urn:mill' })
    await providerPage.enter('pia')
    await logbook.expectSignedIn('pia of the mill')
  })
})
