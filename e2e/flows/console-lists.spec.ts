// Lists of the console: searched as one types, filtered, ordered, with columns of one's choice, downloaded, and changed in bulk.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, title } from '../support/console'

test.slow()

async function addUser(page: Page, email: string): Promise<void> {
  await page.goto('/console/users/new?connection=Username-Password-Authentication')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('a quiet harbour in winter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
}

async function addApplication(page: Page, name: string): Promise<void> {
  await page.goto('/console/applications/new?kind=native')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
}

const rows = (page: Page) => page.locator('.co-table tbody tr')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })

test('users are found as one types, with the focus kept, filtered, ordered, and downloaded as they are shown', async ({
  page,
}) => {
  const mark = randomUUID().slice(0, 8)
  await enter(page, '/console', ADA)
  for (const n of [1, 2]) await addUser(page, `${mark}-${n}@e2e.test`)
  await page.goto('/console/users')
  const search = page.getByRole('searchbox')
  await page.waitForLoadState('networkidle')
  await search.pressSequentially(mark)
  await expect(page).toHaveURL(`/console/users?q=${mark}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(search).toBeFocused()
  const address = page.getByRole('link', { name: 'Address', exact: true })
  await address.click()
  await expect(page.getByRole('columnheader', { name: 'Address' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText(`${mark}-1@e2e.test`)
  await address.click()
  await expect(page.getByRole('columnheader', { name: 'Address' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText(`${mark}-2@e2e.test`)

  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'E-mail verified' }).check()
  await page.getByRole('checkbox', { name: 'State' }).uncheck()
  await page.getByRole('button', { name: 'Show these' }).click()
  await expect(page.getByRole('columnheader', { name: 'E-mail verified' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'State' })).toHaveCount(0)
  await expectAccessible(page, 'a list with chosen columns')

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const file = await readFile((await (await downloading).path()) ?? '', 'utf8')
  expect(file.split('\r\n')[0]).toBe('\uFEFF"ID","Name","Address","Connection","Last login","E-mail verified"')
  expect(file.trimEnd().split('\r\n')).toHaveLength(3)

  await page.getByRole('combobox', { name: 'Blocked' }).selectOption('true')
  await expect(page).toHaveURL(/blocked=true/)
  await expect(page.getByText(`Nothing matches “${mark}”.`)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.goto(`/console/users?q=${mark}`)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'a list on a phone')
})

test('a user support blocks selected users over several searches, by the keyboard, and an auditor selects none', async ({
  browser,
}) => {
  const mark = randomUUID().slice(0, 8)
  const owner = await (await browser.newContext()).newPage()
  await enter(owner, '/console', ADA)
  for (const n of [1, 2]) await addUser(owner, `${mark}-${n}@e2e.test`)
  await owner.context().close()
  const support = await enterAs(browser, 'User support')
  await support.goto(`/console/users?q=${mark}-1`, { waitUntil: 'networkidle' })
  await box(support, `${mark}-1@e2e.test`).focus()
  await support.keyboard.press('Space')
  await expect(support.getByText('1 selected')).toBeVisible()
  await support.getByRole('searchbox').fill(`${mark}-2`)
  await expect(rows(support)).toHaveCount(1)
  await expect(rows(support)).toContainText(`${mark}-2@e2e.test`)
  await expect(support).toHaveURL(new RegExp(`q=${mark}-2`))
  await support.waitForLoadState('networkidle')
  await support.locator('.co-row-link').first().focus()
  await support.keyboard.press('x')
  await expect(support.getByText('2 selected')).toBeVisible()
  await expectAccessible(support, 'a list with selected rows')
  await support.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  await expect(support.getByText('Done for 2 rows.')).toBeVisible()
  await support.goto(`/console/users?q=${mark}&blocked=true`)
  await expect(rows(support)).toHaveCount(2)
  await support.context().close()

  const auditor = await enterAs(browser, 'Auditor')
  await auditor.goto('/console/users')
  await expect(rows(auditor).first()).toBeVisible()
  await expect(auditor.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0)
  await auditor.context().close()
})

test('applications are deleted in bulk once their number is typed, and a cell of their file is no formula', async ({
  page,
}) => {
  const mark = randomUUID().slice(0, 8)
  await enter(page, '/console', ADA)
  for (const name of [`=1+1 ${mark}`, `<script>alert(1)</script> ${mark}`]) await addApplication(page, name)
  const file = await page.request.get(`/console/export/applications?q=${mark}`)
  expect(await file.text()).toContain(`"'=1+1 ${mark}"`)
  await page.goto(`/console/applications?q=${mark}`, { waitUntil: 'networkidle' })
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  const confirm = bar.getByRole('textbox', { name: /^Type 2 to confirm/ })
  await confirm.fill('3')
  await expect(bar.locator('form').getByRole('button', { name: 'Delete' })).toBeDisabled()
  await confirm.fill('2')
  await confirm.press('Enter')
  await expect(bar.getByText('Done for 2 rows.')).toBeVisible()
  await expect(page.getByText(`Nothing matches “${mark}”.`)).toBeVisible()
})

test('without JavaScript, a list is searched, filtered, ordered and given other columns', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/users', ADA)
  await page.getByRole('combobox', { name: 'Last login' }).selectOption('never')
  await page.getByRole('searchbox').fill('e2e')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page).toHaveURL(/login=never/)
  await page.goto('/console/users')
  await page.getByRole('link', { name: 'Address', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Address' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Created' }).check()
  await page.getByRole('button', { name: 'Show these' }).click()
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select all rows of this page' })).toBeHidden()
  await page.goto('/console/users?page=1')
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(rows(page)).toHaveCount(25)
  await context.close()
})

test('a list is downloaded only by who may read it', async ({ browser }) => {
  const editor = await enterAs(browser, 'Application editor')
  const statusOf = async (path: string) => (await editor.request.get(path)).status()
  expect(await statusOf('/console/export/applications')).toBe(200)
  expect(await statusOf('/console/export/users')).toBe(403)
  expect(await statusOf('/console/export/nothing')).toBe(404)
  await editor.context().close()
  const stranger = await browser.newContext()
  const answer = await stranger.request.get('/console/export/applications', { maxRedirects: 0 })
  expect(answer.status()).toBe(303)
  await stranger.close()
})
