// Security in the console: protections, factors and keys as an admin, reading as an auditor, blocks as user support.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { ADA } from '../people'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility'
import { enter, enterAs, panel, sections, title } from '../support/console'

// One after the other: a change of the settings makes the other forms stale.
test.describe.configure({ mode: 'default' })
test.slow()

const save = (page: Page): Locator => page.getByRole('button', { name: 'Save', exact: true })
const alertOf = (page: Page): Locator => page.getByRole('main').getByRole('alert')

const PAGES = [
  ['Attack protection', '/console/security'],
  ['Second factors', '/console/security/factors'],
  ['Signing keys', '/console/security/keys'],
  ['Blocks', '/console/security/blocks'],
] as const

test('an admin walks through the pages and changes a protection', async ({ browser }) => {
  const page = await enterAs(browser, 'Admin')
  await sections(page).getByRole('link', { name: 'Security' }).click()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [name, path] of PAGES) {
      await page.getByRole('navigation', { name: 'Security' }).getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expectAccessible(page, `${name} at ${width} pixels`)
      await expectNoSidewaysScroll(page)
    }
  }
  await page.goto('/console/security')
  const bots = panel(page, 'Bots')
  const other = await page.context().newPage()
  await other.goto('/console/security')
  await bots.getByLabel('Exempt network addresses').fill('192.0.2.7\n192.0.2.8')
  const captcha = panel(page, 'Captcha')
  await captcha.getByText('Keys of hCaptcha').click()
  const siteKey = captcha.getByLabel('Site key').and(page.locator('[name$="hcaptcha.site_key"]'))
  const secret = captcha.getByLabel('Secret').and(page.locator('[name$="hcaptcha.secret"]'))
  await siteKey.fill('a-site-key')
  await secret.fill('a-secret-of-the-provider')
  await expect(
    page.getByText('3 changes: Bots: Exempt network addresses, Keys of hCaptcha: Site key, Keys of hCaptcha: Secret'),
  ).toBeVisible()
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(bots.getByLabel('Exempt network addresses')).toHaveValue('192.0.2.7\n192.0.2.8')
  await expect(siteKey).toHaveValue('a-site-key')
  await expect(secret).toHaveValue('')
  // A changed secret has no way back, and a half of the change is not offered as one.
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)

  await panel(other, 'Guessed passwords').getByLabel('Wrong passwords in a row').fill('12')
  await panel(other, 'Bots').getByLabel('How soon a request is risky').selectOption('Late')
  await save(other).click()
  await expect(alertOf(other)).toContainText('Someone else changed this')
  await expect(alertOf(other)).toContainText('Bots: Exempt network addresses')
  await expect(panel(other, 'Guessed passwords').getByLabel('Wrong passwords in a row')).toHaveValue('12')
  await save(other).click()
  await expect(other.getByText('Saved.')).toBeVisible()
  await other.reload()
  await expect(panel(other, 'Guessed passwords').getByLabel('Wrong passwords in a row')).toHaveValue('12')
  await expect(panel(other, 'Bots').getByLabel('Exempt network addresses')).toHaveValue('192.0.2.7\n192.0.2.8')
  // Without a text while the page is replaced by that of the answer.
  const html = () => page.content().catch(() => 'a-secret-of-the-provider')
  await expect.poll(html).not.toContain('a-secret-of-the-provider')
  await page.context().close()
})

test('one Save bar for all protections: a refusal is in its panel, nothing typed is lost, and all of it is taken back', async ({
  page,
}) => {
  await enter(page, '/console/security', ADA)
  await expect(page.getByRole('navigation', { name: 'On this page' }).getByRole('link')).toHaveCount(5)
  await expect(save(page)).toHaveCount(1)
  const attempts = panel(page, 'Guessed passwords').getByLabel('Wrong passwords in a row')
  const signUps = panel(page, 'Suspicious addresses').getByLabel('Sign-ups a minute')
  const before = [await attempts.inputValue(), await signUps.inputValue()] as const
  await signUps.fill('77')
  await attempts.fill('1000')
  await expect(page.getByText('Suspicious addresses: Sign-ups a minute')).toBeVisible()
  await save(page).click()
  await expect(alertOf(page)).toContainText('Guessed passwords: Wrong passwords in a row: ')
  await expect(alertOf(page)).not.toContainText('saved already')
  await expect(attempts).toBeFocused()
  await expectAccessible(page, 'a refused form of several operations')
  // A refused form does not take the focus from what the person goes on with.
  await signUps.fill('78')
  await expect(signUps).toBeFocused()
  await attempts.fill('11')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(attempts).toHaveValue('11')
  await expect(signUps).toHaveValue('78')
  await attempts.fill(before[0])
  await signUps.fill('79')
  await save(page).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()
  await expect(attempts).toHaveValue('11')
  await expect(signUps).toHaveValue('78')
  await attempts.fill(before[0])
  await signUps.fill(before[1])
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
})

test('a save that ends in the middle says what was saved, keeps the rest, and is taken back', async ({ page }) => {
  await enter(page, '/console/security', ADA)
  const attempts = panel(page, 'Guessed passwords').getByLabel('Wrong passwords in a row')
  await expect(page.getByText('No changes')).toBeVisible()
  const before = await attempts.inputValue()
  await attempts.fill('13')
  // An operation that knows only by doing it that it is refused.
  await page
    .locator('input[name="_parts"]')
    .last()
    .evaluate((input: HTMLInputElement) => {
      const missing = { operation: 'roles.update', params: { id: 'rol_missing' }, body: { name: 'Keepers' } }
      input.value = JSON.stringify([...(JSON.parse(input.value) as object[]), missing])
    })
  await save(page).click()
  await expect(alertOf(page)).toContainText('These were saved already: Guessed passwords.')
  await expect(page.getByText('Saved in part.')).toBeVisible()
  await expectAccessible(page, 'a form that was saved in part')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()
  await expect(alertOf(page)).toHaveCount(0)
  await page.reload()
  await expect(attempts).toHaveValue(before)
})

test('a key is revoked only by who types its name', async ({ page }) => {
  await enter(page, '/console/security/keys', ADA)
  const revoke = panel(page, 'Revoke a key')
  await revoke.getByText('Next: ').first().click()
  await revoke.locator('details[open]').getByRole('textbox').fill('another')
  await revoke.locator('details[open]').getByRole('button', { name: 'Revoke this key' }).click()
  await expect(revoke.getByRole('alert')).toContainText('different')
  await page.reload()
  await expect(panel(page, 'Signing keys').getByText('Revoked', { exact: true })).toHaveCount(0)
})

test('without JavaScript, a protection is changed', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enter(page, '/console/security', ADA)
  const addresses = panel(page, 'Suspicious addresses')
  await addresses.getByLabel('Sign-ups a minute').fill('51')
  await panel(page, 'Guessed passwords').getByLabel('Wrong passwords in a row').fill('1000')
  await save(page).click()
  await expect(alertOf(page)).toContainText('Guessed passwords: Wrong passwords in a row')
  await expect(addresses.getByLabel('Sign-ups a minute')).toHaveValue('51')
  await panel(page, 'Guessed passwords').getByLabel('Wrong passwords in a row').fill('10')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(addresses.getByLabel('Sign-ups a minute')).toHaveValue('51')
  await context.close()
})

test('an auditor reads and changes nothing', async ({ browser }) => {
  const page = await enterAs(browser, 'Auditor')
  for (const [name, path] of PAGES.slice(0, 3)) {
    await page.goto(path)
    await expect(title(page, 'Security')).toBeVisible()
    const buttons = page.getByRole('main').getByRole('button').filter({ hasNotText: 'Copy' })
    await expect(buttons, name).toHaveCount(0)
    await expectAccessible(page, `${name} of an auditor`)
  }
  await page.context().close()
})

test('user support finds and lifts blocks, and sees nothing else', async ({ browser }) => {
  const page = await enterAs(browser, 'User support')
  await sections(page).getByRole('link', { name: 'Security' }).click()
  await expect(page).toHaveURL('/console/security/blocks')
  const address = panel(page, 'A network address')
  await address.getByRole('searchbox').fill('192.0.2.77')
  await address.getByRole('button', { name: 'Find' }).click()
  await expect(address).toContainText('192.0.2.77 is not blocked.')
  await address.getByRole('searchbox').fill('no address')
  await address.getByRole('button', { name: 'Find' }).click()
  await expect(address).toContainText('The id is no IP address')
  const account = panel(page, 'An account')
  await account.getByRole('searchbox').fill('nobody@e2e.test')
  await account.getByRole('button', { name: 'Find' }).click()
  await expect(account).toContainText('nobody@e2e.test is not blocked.')
  await expectAccessible(page, 'blocks of user support')
  for (const [, path] of PAGES.slice(1, 3)) {
    await page.goto(path)
    await expect(title(page, 'Not part of your role')).toBeVisible()
  }
  await page.context().close()
})

test('an application editor does not see the section', async ({ browser }) => {
  const page = await enterAs(browser, 'Application editor')
  await expect(sections(page).getByRole('link', { name: 'Security' })).toHaveCount(0)
  for (const [, path] of PAGES) {
    await page.goto(path)
    await expect(title(page, 'Not part of your role')).toBeVisible()
  }
  await page.context().close()
})
