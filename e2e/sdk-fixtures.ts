// `test` for the vendor's browser SDKs: a server behind TLS, since they require https, and their app on the server's site
// (`localhost`) and on another (`app.e2e.test`).
import { test as base } from '@playwright/test'
import { freePort } from '../lib/testing/free-port.mjs'
import { startSdkApp } from './doubles/sdk-app'
import { makeServedDataDir } from './interop/support/data-dir'
import { startServer } from './interop/support/server-process'
import { TENANT } from './interop/support/tenant'
import { startTlsFront } from './interop/support/tls-front'
import { LoginPage } from './screens/login-page'

export type SdkWorld = {
  /** The SDKs' domain option: host and port. */
  domain: string
  /** The app on the server's site. */
  app: string
  /** The app on another site. */
  foreign: string
}

type Fixtures = { loginPage: LoginPage }

export const test = base.extend<Fixtures, { world: SdkWorld }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const [serverPort, appPort] = [await freePort(), await freePort()]
      const world = {
        domain: `localhost:${serverPort}`,
        app: `https://localhost:${appPort}`,
        foreign: `https://app.e2e.test:${appPort}`,
      }
      const data = await makeServedDataDir()
      const server = await startServer({ ...settingsFor(world), LATCHKEY_DATA_DIR: data.path })
      const front = await startTlsFront(serverPort, server.port)
      const app = await startSdkApp(appPort)
      await use(world)
      await app.close()
      await front.close()
      await server.end('SIGTERM')
      await data.remove()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  ignoreHTTPSErrors: true,
  // Chromium has no WebAuthn on a page whose certificate it does not accept, even if the context ignores that.
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--ignore-certificate-errors'] }),
    { scope: 'worker' },
  ],
  loginPage: ({ page }, use) => use(new LoginPage(page)),
})

export { expect } from '@playwright/test'

const CALLBACKS = ['/spa/callback', '/classic/callback', '/classic/popup']

function settingsFor({ domain, app, foreign }: SdkWorld): Record<string, string> {
  const origins = [app, foreign]
  return {
    ...TENANT,
    APP_URL: `https://${domain}`,
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1,::1',
    LATCHKEY_DEV_OUTBOX: '1',
    LATCHKEY_HOST: 'localhost',
    E2E_CALLBACKS: JSON.stringify(origins.flatMap((origin) => CALLBACKS.map((path) => origin + path))),
    E2E_LOGOUTS: JSON.stringify(origins.map((origin) => `${origin}/bye`)),
    E2E_ORIGINS: JSON.stringify(origins),
  }
}
