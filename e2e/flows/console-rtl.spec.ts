// The console in a browser set to Arabic, read from right to left: the words are English, while times and numbers are the reader's.
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter } from '../support/console'

test.slow()

const PAGES = [
  '/console',
  '/console/applications',
  '/console/applications/demo-web',
  '/console/applications/demo-web/access',
  '/console/users',
  '/console/organizations',
  '/console/connections',
  '/console/security',
  '/console/logins',
  '/console/logs',
  '/console/settings',
]

/** E2E_LOOK names a folder for screenshots. */
const LOOK = process.env.E2E_LOOK

test('pages read from right to left, on a phone and a desktop', async ({ page: english, browser }) => {
  await enter(english, '/console', ADA)
  const storageState = await english.context().storageState()
  const context = await browser.newContext({ locale: 'ar', storageState })
  const page = await context.newPage()
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => document.documentElement.setAttribute('dir', 'rtl'))
  })
  for (const path of PAGES)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expectNoSidewaysScroll(page)
      if (width === 390) await expectAccessible(page, `${path} from right to left`)
      if (LOOK !== undefined)
        await page.screenshot({ path: `${LOOK}/rtl${path.replaceAll('/', '-')}-${width}.png`, fullPage: true })
    }
  await context.close()
})
