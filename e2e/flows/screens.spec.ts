// Every screen in the list (lib/pages/screens.ts): axe finds nothing in its usual state, and no state is wider than a small phone. So with
// themes whose colours are too pale, all the same, or dark.

import { readTheme } from '../../lib/data/tenants/theme'
import { SCREEN_NAMES, type ScreenView } from '../../lib/pages/screens'
import type * as HostedPages from '../../lib/testing/hosted-pages'
import type { Locale } from '../../lib/text/locale'
import { expect, test } from '../fixtures'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { bundledPages, showing } from '../support/rendered-screens'

let pages: typeof HostedPages

test.beforeAll(async () => {
  pages = await bundledPages(test.info().outputDir)
})

for (const name of SCREEN_NAMES) {
  test(`the screen ${name} is accessible and fits a small phone`, async ({ page }) => {
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

test.describe('the menu of the account portal', () => {
  const profile = (locale: 'en' | 'ar') =>
    pages.renderPage({ ...pages.pageCommon, locale, ...pages.samplesOf('account-profile')[0] })

  for (const [locale, direction] of [
    ['en', 1],
    ['ar', -1],
  ] as const) {
    test(`is beside the page where there is space, in ${locale}`, async ({ page }) => {
      const show = await showing(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await show(profile(locale))
      const title = await page.getByRole('heading', { level: 1 }).boundingBox()
      const menu = await page.getByRole('navigation').getByRole('link').first().boundingBox()
      const room = await page.locator('.portal').boundingBox()
      if (!title || !menu || !room) throw new Error('the page lacks its title, its menu or both')
      expect(title.y).toBeLessThan(160)
      expect((title.x - menu.x) * direction).toBeGreaterThan(0)
      expect(room.width).toBeGreaterThan(1000)
      await expect(page.locator('summary')).toBeHidden()
      await expectAccessible(page, `profile, ${locale}`)
    })
  }

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('is behind a button on a phone, and the page is on its first screen', async ({ page }) => {
      const show = await showing(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await show(profile('en'))
      const links = page.getByRole('navigation').getByRole('link')
      await expect(links.first()).toBeHidden()
      const title = await page.getByRole('heading', { level: 1 }).boundingBox()
      expect(title?.y).toBeLessThan(300)
      await page.getByText('Menu', { exact: true }).click()
      await expect(links.first()).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign out' })).toBeVisible()
      await expectNoSidewaysScroll(page)
    })
  })

  test('is accessible when it is open on a phone', async ({ page }) => {
    const show = await showing(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await show(profile('ar'))
    await page.locator('summary').click()
    await expectAccessible(page, 'the open menu')
  })
})

test('no heading is broken at a hyphen on a phone', async ({ page }) => {
  const show = await showing(page)
  const render = (locale: Locale, view: ScreenView) => pages.renderPage({ ...pages.pageCommon, locale, ...view })
  const linesOf = () =>
    page.locator('.unbroken').evaluateAll((words) =>
      words.map((word) => {
        const range = document.createRange()
        range.selectNodeContents(word)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size
      }),
    )
  for (let width = 320; width <= 420; width += 10) {
    await page.setViewportSize({ width, height: 844 })
    for (const html of [
      render('en', { ...pages.samplesOf('error')[0], code: 'expired_transaction' }),
      render('de', pages.sampleWith('restore-email', { phase: 'done' })),
      render('fr', pages.sampleWith('verify-email', { phase: 'done' })),
    ]) {
      await show(html)
      expect(await linesOf()).toEqual([1])
      await expectNoSidewaysScroll(page)
    }
  }
})

test('times are in the zone of the browser, and without JavaScript in UTC', async ({ browser, page }) => {
  const shown = async (on: typeof page) => {
    const show = await showing(on)
    await show(pages.renderPage({ ...pages.pageCommon, ...pages.samplesOf('account-sessions')[0] }))
    return on.locator('time').first()
  }
  const there = await browser.newContext({ timezoneId: 'Asia/Kolkata' })
  const time = await shown(await there.newPage())
  await expect(time).toHaveText('January 15, 2027 at 1:30 PM GMT+5:30')
  await expect(time).toHaveAttribute('datetime', '2027-01-15T08:00:00.000Z')
  await there.close()
  const plain = await browser.newContext({ timezoneId: 'Asia/Kolkata', javaScriptEnabled: false })
  await expect(await shown(await plain.newPage())).toHaveText('January 15, 2027 at 8:00 AM UTC')
  await plain.close()
})

const everyColour = (pick: (at: number) => string) =>
  Object.fromEntries(Object.keys(readTheme({}).colors).map((name, at) => [name, pick(at)]))

const NO_TEXT = { size: 0, bold: false }
const THEMES: Record<string, object> = {
  'too pale and too small': {
    borders: { buttons_style: 'pill', inputs_style: 'pill', button_border_weight: 0, input_border_weight: 0 },
    colors: everyColour((at) => (at % 2 === 0 ? '#fdf6f0' : '#fff9f5')),
    fonts: { reference_text_size: 12, body_text: NO_TEXT, links: NO_TEXT, input_labels: NO_TEXT, subtitle: NO_TEXT },
    page_background: { background_color: '#fffdfb', page_layout: 'right' },
  },
  'one grey': {
    colors: everyColour(() => '#777777'),
    page_background: { background_color: '#777777' },
  },
  'dark, with large text and heavy edges': {
    borders: { buttons_style: 'sharp', inputs_style: 'sharp', button_border_weight: 10, widget_border_weight: 10 },
    colors: { ...everyColour(() => '#7ee0ff'), widget_background: '#0b1e4b', input_background: '#13295e' },
    fonts: { reference_text_size: 24, title: { size: 150, bold: true }, body_text: { size: 150, bold: true } },
    page_background: { background_color: '#061233', page_layout: 'left' },
    widget: { social_buttons_layout: 'top', header_text_alignment: 'left', logo_position: 'none' },
  },
}

for (const [look, theme] of Object.entries(THEMES)) {
  test(`a theme that is ${look} is readable and fits the page`, async ({ page }) => {
    const show = await showing(page)
    for (const name of ['login', 'signup', 'consent', 'mfa-challenge', 'account-factors', 'error'] as const) {
      await page.setViewportSize({ width: 1280, height: 900 })
      for (const locale of ['en', 'ar'] as const) {
        await show(pages.renderPage({ ...pages.themedCommon(theme), locale, ...pages.samplesOf(name)[0] }))
        await expectAccessible(page, `${name}, ${locale}`)
      }
      await page.setViewportSize({ width: 320, height: 568 })
      await expectNoSidewaysScroll(page)
    }
  })
}
