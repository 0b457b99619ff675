// Every screen in the list (lib/pages/screens.ts): axe finds nothing in its usual state, and no state is wider than a small phone.
import { expect, test } from '@playwright/test'
import { SCREEN_NAMES } from '../../lib/pages/screens'
import type * as HostedPages from '../../lib/testing/hosted-pages'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { bundledPages, showing } from '../support/rendered-screens'

let pages: typeof HostedPages

test.beforeAll(async () => {
  pages = await bundledPages(test.info().outputDir)
})

for (const name of SCREEN_NAMES) {
  test(`the screen ${name}`, async ({ page }) => {
    const show = await showing(page)
    const [usual, ...others] = pages.samplesOf(name)
    await show(pages.renderPage({ ...pages.pageCommon, ...usual }))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, name)
    await page.setViewportSize({ width: 320, height: 568 })
    await expectNoSidewaysScroll(page)
    for (const view of others) {
      await show(pages.renderPage({ ...pages.pageCommon, ...view }))
      await expectNoSidewaysScroll(page)
    }
  })
}
