// How the pages of the console arrive: their statuses, ahead of the click, with little JavaScript, and with times of the reader's zone.
import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible } from '../support/accessibility'
import { enter, enterAs, sections, title } from '../support/console'

test.slow()

test('a missing object is a 404, a page that the role does not open a 403, both readable without JavaScript', async ({
  browser,
}) => {
  const editor = await enterAs(browser, 'Application editor')
  const storageState = await editor.context().storageState()
  const context = await browser.newContext({ storageState, javaScriptEnabled: false })
  const page = await context.newPage()
  const statusOf = async (path: string) => (await page.goto(path))?.status()
  expect(await statusOf('/console/applications/nothing')).toBe(404)
  await expect(title(page, 'There is nothing here')).toBeVisible()
  await expect(sections(page)).toBeVisible()
  expect(await statusOf('/console/nowhere')).toBe(404)
  await expect(sections(page)).toBeVisible()
  expect(await statusOf('/console/users')).toBe(403)
  await expect(title(page, 'Not part of your role')).toBeVisible()
  expect(await statusOf('/console/applications')).toBe(200)
  await context.close()
  await editor.context().close()
})

test('the first page loads less than 200 kB of compressed scripts', async ({ page }) => {
  await enter(page, '/console', ADA)
  const bytes = new Map<string, number>()
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script')
      bytes.set(response.url(), gzipSync(await response.body(), { level: 6 }).length)
  })
  await page.reload({ waitUntil: 'networkidle' })
  const sum = [...bytes.values()].reduce((total, each) => total + each, 0)
  expect(sum).toBeGreaterThan(50_000)
  expect(sum).toBeLessThan(200_000)
})

test('a page is fetched while the pointer rests on its link, and not again at the click', async ({ page }) => {
  await enter(page, '/console', ADA)
  await page.waitForLoadState('networkidle')
  const link = sections(page).getByRole('link', { name: 'Roles', exact: true })
  const isWholePage = (request: Request) =>
    request.url().includes('/console/roles?_rsc') && request.headers()['next-router-prefetch'] === undefined
  const requested: string[] = []
  page.on('request', (request) => isWholePage(request) && requested.push(request.url()))
  // Next ends the request itself once it has read the page, which the browser may call a failure.
  const fetched = Promise.race([
    page.waitForEvent('requestfinished', isWholePage),
    page.waitForEvent('requestfailed', isWholePage),
  ])
  await link.hover()
  await fetched
  const before = requested.length
  await link.click()
  await expect(title(page, 'Roles')).toBeVisible()
  expect(requested.length).toBe(before)
})

const firstTime = (page: Page) => page.locator('.co-table time').first()

test('times are in the zone and the language of the browser, with the exact moment in UTC at the focus', async ({
  browser,
}) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
  const page = await context.newPage()
  await enter(page, '/console/logs', ADA)
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' })
  // In one reading: the list begins with another record once the page is drawn for the zone.
  const read = () =>
    firstTime(page).evaluate((time) => ({
      exact: time.getAttribute('datetime') ?? '',
      text: time.textContent,
      shown: getComputedStyle(time, '::after').content,
    }))
  const isLocal = async () => {
    const { exact, text } = await read()
    return text === format.format(new Date(exact))
  }
  await expect.poll(isLocal).toBe(true)
  await page.locator('.co-table .co-row-link').first().press('Shift')
  const isExact = async () => {
    const { exact, shown } = await read()
    return shown === `"${exact}"`
  }
  await expect.poll(isExact).toBe(true)
  await expectAccessible(page, 'a list with its times')
  await context.close()
})

test('without JavaScript, times are in UTC and say so', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/logs', ADA)
  await expect(firstTime(page)).toHaveText(/ UTC$/)
  await context.close()
})
