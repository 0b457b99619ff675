// The findings of axe for the current page.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The automatically checkable part of WCAG 2.2 AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const EVERY_RULE = [...WCAG, 'best-practice']

const SCHEMES = ['light', 'dark'] as const

/** axe is a script itself; in a frame without scripts it would wait forever. */
const SCRIPTLESS = 'iframe[sandbox]'

/** In both colour schemes; `what` names the page in a failure. */
export async function expectAccessible(page: Page, what: string, rules = EVERY_RULE): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).withTags(rules).exclude(SCRIPTLESS).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** No content is wider than the viewport, so no horizontal scrolling is needed. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBeLessThanOrEqual(0)
}
