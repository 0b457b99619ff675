// The console: every section as an owner, an application from its creation to its end, and an invited application editor, to whom the
// users stay closed.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA, GRACE } from '../people'
import { LoginPage } from '../screens/login-page'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { acceptInvitation, enter, invite, sections, title } from '../support/console'

test.slow()

const SECTIONS = [
  ['Applications', '/console/applications'],
  ['APIs', '/console/apis'],
  ['Users', '/console/users'],
  ['Roles', '/console/roles'],
  ['Organizations', '/console/organizations'],
  ['Connections', '/console/connections'],
  ['Security', '/console/security'],
  ['Logins', '/console/logins'],
  ['Logs', '/console/logs'],
  ['Log streams', '/console/streams'],
  ['Messages', '/console/providers'],
  ['Settings', '/console/settings'],
  ['Administrators', '/console/administrators'],
] as const

test('an owner walks through every section', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await enter(page, '/console', ADA)
  await expect(page.getByRole('heading', { name: 'Latest events' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await expectAccessible(page, 'home')
  for (const [name, path] of SECTIONS) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(title(page, name)).toBeVisible()
    await expectAccessible(page, name)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/console', ...SECTIONS.map(([, each]) => each), '/console/applications/demo-web']) {
    await page.goto(path)
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page, 'an application on a phone')
  expect(refused).toEqual([])
})

test('an unknown address below the console is a page of the console', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await enter(page, '/console', ADA)
  errors.length = 0
  for (const path of ['/console/nothing', '/console/users/a/b/c', '/console/nothing?done=__proto__']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(title(page, 'There is nothing here')).toBeVisible()
    await expect(page).toHaveTitle('There is nothing here · Console')
    await expect(sections(page)).toBeVisible()
  }
  await expectAccessible(page, 'an unknown address')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  // The browser reports the status of the document; it has nothing to report about the policy.
  expect(errors.filter((text) => !text.includes('404'))).toEqual([])
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await expect(page).toHaveURL('/console')
})

test('an application is made, changed and deleted, whatever its name is', async ({ page }) => {
  const name = `<script>alert(1)</script> ${Date.now()}`
  await enter(page, '/console/applications/new?kind=regular_web', ADA)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Allowed callback URLs').fill('not an address')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Allowed callback URLs')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
  await expect(page.getByLabel('Allowed callback URLs')).toHaveValue('not an address')
  await expect(page.getByText('Line 1: ').first()).toBeVisible()
  await expect(page.getByLabel('Allowed callback URLs')).toBeFocused()
  await page.getByLabel('Allowed callback URLs').fill('https://shop.example/callback')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('It is not shown again')).toBeVisible()
  await expect(page.locator('.co-secret')).toHaveText(/^[\w-]{40,}$/)
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByLabel('Allowed callback URLs')).toHaveValue('https://shop.example/callback')
  await page.getByRole('link', { name: 'Connections and APIs' }).click()
  await expect(page.getByRole('region', { name: 'Connections' }).getByRole('link', { name: 'People' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await expect(page.getByLabel('Allowed callback URLs')).toHaveValue('https://shop.example/callback')

  const elsewhere = await page.context().newPage()
  await elsewhere.goto(page.url())
  const save = (at: Page) => at.getByRole('button', { name: 'Save' })
  await elsewhere.getByLabel('Description').fill('Changed elsewhere')
  await save(elsewhere).click()
  await expect(elsewhere.getByText('Saved.')).toBeVisible()
  await page.getByLabel('Description').fill('Changed here')
  await save(page).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Changed elsewhere')
  await expect(page.getByLabel('Description')).toHaveValue('Changed here')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await elsewhere.reload()
  await expect(elsewhere.getByLabel('Description')).toHaveValue('Changed here')

  const remove = elsewhere.getByRole('region', { name: 'Delete this application' })
  await remove.getByRole('textbox').fill('another name')
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(remove.getByRole('alert')).toContainText('different')
  await remove.getByRole('textbox').fill(name)
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(title(elsewhere, 'Applications')).toBeVisible()
  await page.reload()
  await expect(title(page, 'There is nothing here')).toBeVisible()
})

test('a log stream is made without JavaScript, paused and deleted', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const name = `Archive ${Date.now()}`
  await enter(page, '/console/streams/new', ADA)
  await page.getByRole('link', { name: 'HTTP Any server' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Address').fill('ftp://logs.example/')
  await page.getByLabel('Key of the signature').fill('another-key-of-sixteen')
  await page.getByLabel('auth.login.fail').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Address')
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await expect(page.getByLabel('auth.login.fail')).toBeChecked()
  await expect(page.getByLabel('Key of the signature')).toHaveValue('')
  await page.getByLabel('Address').fill('https://logs.example/latchkey')
  await page.getByLabel('Key of the signature').fill('a-key-of-sixteen-characters')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByLabel('auth.login.fail')).toBeChecked()
  await expect(page.getByLabel('auth.login.success')).not.toBeChecked()
  await expect(page.getByRole('region', { name: 'Delivery' })).toContainText('Records waiting')
  // Without a text while the page is replaced by that of the answer.
  const html = () => page.content().catch(() => 'a-key-of-sixteen-characters')
  await expect.poll(html).not.toContain('a-key-of-sixteen-characters')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByRole('region', { name: 'Basics' }).getByLabel('Status').selectOption('Paused')
  await save.click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Delivery' })).toContainText('Nothing is sent')
  const events = page.getByRole('region', { name: 'Events' })
  await events.getByLabel('auth.login.fail').uncheck()
  await save.click()
  await expect(events.getByLabel('auth.login.fail')).not.toBeChecked()
  const remove = page.getByRole('region', { name: 'Delete' })
  await remove.getByRole('textbox').fill(name)
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(title(page, 'Log streams')).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
  await context.close()
})

test('an invited application editor sees applications, and no users', async ({ browser }) => {
  const link = await invite(browser, 'Application editor')
  const guest = await acceptInvitation(browser, link, GRACE)
  await expect(sections(guest).getByRole('link', { name: 'Applications' })).toBeVisible()
  await expect(sections(guest).getByRole('link', { name: 'Users' })).toHaveCount(0)
  await guest.goto('/console/users')
  await expect(title(guest, 'Not part of your role')).toBeVisible()
  await expectAccessible(guest, 'a page that the role does not open')
  await guest.goto(link)
  await expect(title(guest, 'This invitation is not valid any more')).toBeVisible()
  await guest.goto('/console')
  await guest.getByRole('button', { name: 'Sign out' }).click()
  await expect(title(guest, 'You are signed out')).toBeVisible()
  await guest.goto('/console')
  await new LoginPage(guest).expectShown()
  await guest.context().close()
})

test('without JavaScript, an application is found and changed', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/applications', ADA)
  await page.getByRole('searchbox').fill('Field Notes')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: 'Field Notes' }).click()
  const basics = page.getByRole('region', { name: 'Basics' })
  await basics.getByLabel('Description').fill('Changed without JavaScript')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(basics.getByLabel('Description')).toHaveValue('Changed without JavaScript')
  await context.close()
})
