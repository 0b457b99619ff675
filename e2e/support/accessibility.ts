// The findings of axe for the current page. axe runs in the page itself and is read once per document: the usual adapter reads it
// again for each run, and once more in a tab that it opens to put the findings of frames together.
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** The automatically checkable part of WCAG 2.2 AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const EVERY_RULE = [...WCAG, 'best-practice']

const SCHEMES = ['light', 'dark'] as const

/** A frame without scripts, in which axe cannot run. Its parts are not judged. */
const SCRIPTLESS = 'iframe[sandbox]'

/** In both colour schemes; `what` names the page in a failure. */
export async function expectAccessible(page: Page, what: string, rules = EVERY_RULE): Promise<void> {
  expect(await page.locator(`iframe:not(${SCRIPTLESS}), frame`).count(), `${what}: frames, which are not judged`).toBe(
    0,
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await page.evaluate(violations, [SCRIPTLESS, rules] as const), `${what}, ${colorScheme}`).toEqual([])
  }
}

/** Runs in the page, where axe is a global. */
async function violations([excluded, rules]: readonly [string, string[]]): Promise<string[]> {
  const found = await window.axe.run({ exclude: [excluded] }, { runOnly: rules, resultTypes: ['violations'] })
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** No content is wider than the viewport, so no horizontal scrolling is needed. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBeLessThanOrEqual(0)
}
