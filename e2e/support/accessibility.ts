// The findings of axe for the current page. axe runs in the page itself and is read once per document: the usual adapter reads it
// again for each run, and once more in a tab that it opens to put the findings of frames together. Reading it takes as long as a
// run, and the minified file half of that.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The automatically checkable part of WCAG 2.2 AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const EVERY_RULE = [...WCAG, 'best-practice']

/** A frame without scripts, in which axe cannot run. Its parts are not judged. */
const SCRIPTLESS = 'iframe[sandbox]'

/**
 * In both colour schemes, of which the second differs from the first in its colours alone; `what` names the page in a failure.
 */
export async function expectAccessible(page: Page, what: string, rules = EVERY_RULE): Promise<void> {
  expect(await page.locator(`iframe:not(${SCRIPTLESS}), frame`).count(), `${what}: frames, which are not judged`).toBe(
    0,
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const judge = async (colorScheme: 'light' | 'dark', colorsOnly: boolean): Promise<void> => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(
      await page.evaluate(violations, { rules, colorsOnly, exclude: SCRIPTLESS }),
      `${what}, ${colorScheme}`,
    ).toEqual([])
  }
  await judge('light', false)
  await judge('dark', true)
}

type Judging = { rules: string[]; colorsOnly: boolean; exclude: string }

/** Runs in the page, where axe is a global. */
async function violations({ rules, colorsOnly, exclude }: Judging): Promise<string[]> {
  const chosen = window.axe.getRules(rules).filter(({ tags }) => !colorsOnly || tags.includes('cat.color'))
  const runOnly = { type: 'rule', values: chosen.map(({ ruleId }) => ruleId) } as const
  const found = await window.axe.run({ exclude: [exclude] }, { runOnly, resultTypes: ['violations'] })
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
