// `test` with the fixtures of all flows: the third-party app of this worker, and the page objects. A file that needs none of them uses it
// too: Playwright ends its workers and browsers between files whose `test` has other fixtures of the worker.
import { test as base } from '@playwright/test'
import { startApp } from './doubles/app'
import { type AppOrigins, appOrigins, appPort } from './origins'
import { AccountPage } from './screens/account-page'
import { AppPage } from './screens/app-page'
import { ConsentPage } from './screens/consent-page'
import { DemoPage } from './screens/demo-page'
import { LoginPage } from './screens/login-page'
import { NoticePage } from './screens/notice-page'

type Fixtures = {
  /** On another site than the server. */
  app: AppPage
  /** On the server's own site. */
  neighbour: AppPage
  loginPage: LoginPage
  consentPage: ConsentPage
  accountPage: AccountPage
  noticePage: NoticePage
  demoPage: DemoPage
}

export const test = base.extend<Fixtures, { origins: AppOrigins }>({
  origins: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use, { parallelIndex }) => {
      const running = await startApp(appPort(parallelIndex))
      await use(appOrigins(parallelIndex))
      await running.close()
    },
    { scope: 'worker' },
  ],
  app: ({ page, origins }, use) => use(new AppPage(page, origins.foreign)),
  neighbour: ({ page, origins }, use) => use(new AppPage(page, origins.sameSite)),
  loginPage: ({ page }, use) => use(new LoginPage(page)),
  consentPage: ({ page }, use) => use(new ConsentPage(page)),
  accountPage: ({ page }, use) => use(new AccountPage(page)),
  noticePage: ({ page }, use) => use(new NoticePage(page)),
  demoPage: ({ page }, use) => use(new DemoPage(page)),
})

export { expect } from '@playwright/test'
