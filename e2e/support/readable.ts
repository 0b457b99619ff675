// A page at phone and desktop size: no horizontal scrolling and no findings of axe, in both colour schemes.
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility'

/** E2E_LOOK names a folder for screenshots. */
export async function expectReadable(page: Page, what: string): Promise<void> {
  const folder = process.env.E2E_LOOK
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, `${what}, ${width}`)
    for (const colorScheme of folder === undefined ? [] : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${what}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}
