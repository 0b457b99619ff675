// What axe says of the page as it is now.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** WCAG 2.2 AA, as far as a machine can judge it. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const EVERY_RULE = [...WCAG, 'best-practice']

const SCHEMES = ['light', 'dark'] as const

/** axe is a script itself; it waits for ever inside a frame that runs none. */
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

/** Nothing reaches over the edge, so nobody has to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBeLessThanOrEqual(0)
}
