// `test` for flows across applications and providers on third-party libraries (e2e/interop/apps), each on a separate site, so
// that their posts reach the server as in production: without its cookies.
import { test as base } from '@playwright/test'
import { type Federation, startFederation } from './interop/support/federation'
import { FederatedApp } from './screens/federated-app'
import { LoginPage } from './screens/login-page'
import { NoticePage } from './screens/notice-page'
import { ProviderPage } from './screens/provider-page'

const APPS = ['chart', 'compass', 'logbook', 'tower'] as const
export type AppName = (typeof APPS)[number]

type Fixtures = {
  /** On `@node-saml/node-saml`, `samlify`, `passport-wsfed-saml2` and `express-openid-connect`. */
  apps: Record<AppName, FederatedApp>
  loginPage: LoginPage
  noticePage: NoticePage
  providerPage: ProviderPage
}

export const test = base.extend<Fixtures, { world: Federation }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const world = await startFederation((name, port) => `http://${HOSTS[name] ?? 'localhost'}:${port}`)
      try {
        await world.start(...APPS, 'guild', 'mill')
        await use(world)
      } finally {
        await world.end()
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  apps: ({ page, world }, use) => {
    const entries = APPS.map((name) => [name, new FederatedApp(page, world.origins[name])])
    return use(Object.fromEntries(entries) as Fixtures['apps'])
  },
  loginPage: ({ page }, use) => use(new LoginPage(page)),
  noticePage: ({ page }, use) => use(new NoticePage(page)),
  providerPage: ({ page }, use) => use(new ProviderPage(page)),
})

/**
 * Sites outside `localhost` are not possible for two applications: the OpenID application's library accepts plain HTTP under
 * `localhost` only, and the WS-Federation application cleans up in a frame, which needs HTTPS on a separate site to receive its
 * cookies.
 */
const HOSTS: Record<string, string> = {
  chart: 'chart.e2e.test',
  compass: 'compass.e2e.test',
  guild: 'guild.e2e.test',
  mill: 'mill.e2e.test',
}

export { expect } from '@playwright/test'
