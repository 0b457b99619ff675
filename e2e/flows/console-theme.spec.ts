// The colours of the console: the choice holds against the system, from page to page, with and without JavaScript.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter } from '../support/console'

const DARK_PAPER = 'rgb(18, 22, 21)'
const LIGHT_PAPER = 'rgb(247, 248, 246)'

async function expectColours(page: Page, paper: string, scheme: string): Promise<void> {
  await expect(page.locator('body')).toHaveCSS('background-color', paper)
  await expect(page.locator('html')).toHaveCSS('color-scheme', scheme)
}

for (const javaScriptEnabled of [true, false])
  test(`colours are chosen ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled, colorScheme: 'light' })
    const page = await context.newPage()
    const choose = (name: string) => page.getByRole('group', { name: 'Colours' }).getByRole('button', { name }).click()
    await enter(page, '/console/roles', ADA)
    await expectColours(page, LIGHT_PAPER, 'light dark')
    await choose('Dark')
    await expectColours(page, DARK_PAPER, 'dark')
    await expect(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true')
    await page.goto('/console/logs')
    await expectColours(page, DARK_PAPER, 'dark')
    await choose('Light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectColours(page, LIGHT_PAPER, 'light')
    await choose('System')
    await expectColours(page, DARK_PAPER, 'light dark')
    await context.close()
  })

test('each choice of colours is accessible, on a phone too', async ({ page }) => {
  await enter(page, '/console', ADA)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const name of ['Dark', 'Light']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
      await expectAccessible(page, `${name}, ${width} px`)
      await expectNoSidewaysScroll(page)
    }
  }
})
