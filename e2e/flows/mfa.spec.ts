// Second factors on the hosted pages: enrolment, challenge, recovery code, and a phone that approves.
import { readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'
import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { MfaPage } from '../screens/mfa-page'
import { codeTo } from '../support/outbox'

const { tess, sven, pola, nils, mara } = PEOPLE

/** The next login is in a browser without a session. */
const forget = (context: BrowserContext): Promise<void> => context.clearCookies()

test('an authenticator app is enrolled once, required at the next login and replaced by the recovery code', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.startLogin('strong')
  await loginPage.signIn(tess.email)
  await mfa.expectTitle('Set up a second step')
  await mfa.choose('Authenticator app')
  await expect(page.getByRole('img', { name: 'QR code' })).toBeInViewport()
  const phone = await mfa.scan()
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[A-Z2-7]{32}$/)
  await mfa.enter('000000')
  await expect(mfa.problem).toContainText('This code isn’t right')
  await expect(mfa.code).toBeFocused()
  await mfa.enter(phone.next())

  await mfa.expectTitle('Save your recovery code')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const recoveryCode = await mfa.keepRecoveryCode()
  expect(file).toContain(recoveryCode)
  await app.expectWelcome(tess.name)

  await forget(context)
  await app.startLogin('strong')
  await loginPage.signIn(tess.email)
  await mfa.expectTitle('Confirm that it’s you')
  await expect(mfa.code).toBeFocused()
  await page.getByLabel('Don’t ask again in this browser for 30 days').check()
  await mfa.enter(phone.next())
  await app.expectWelcome(tess.name)

  const cookies = await context.cookies()
  await forget(context)
  await context.addCookies(cookies.filter(({ name }) => !name.includes('session')))
  await app.startLogin('strong')
  await loginPage.signIn(tess.email)
  await app.expectWelcome(tess.name)

  await forget(context)
  await app.startLogin('strong')
  await loginPage.signIn(tess.email)
  await mfa.chooseOther('Recovery code')
  await mfa.enter(recoveryCode.toLowerCase())
  expect(await mfa.keepRecoveryCode()).not.toBe(recoveryCode)
  await app.expectWelcome(tess.name)
})

test('a phone is enrolled with its number and a code by text message, and gets a new code when none arrives', async ({
  app,
  context,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  const number = '+4915123456701'
  await app.startLogin('strong')
  await loginPage.signIn(sven.email)
  await mfa.choose('Text message')
  await page.getByLabel('Phone number').fill('my own')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await expect(mfa.problem).toContainText('Enter a phone number that can be reached')
  await page.getByLabel('Phone number').fill('+49 1512 3456701')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await mfa.expectTitle('Enter the code')
  const first = await codeTo(number)
  await mfa.enter(first)
  await mfa.keepRecoveryCode()
  await app.expectWelcome(sven.name)

  await forget(context)
  await app.startLogin('strong')
  await loginPage.signIn(sven.email)
  await expect(page.getByRole('main')).toContainText('6701')
  const second = await codeTo(number, first)
  await page.getByRole('button', { name: 'Try once more' }).click()
  const third = await codeTo(number, second)
  await mfa.enter(second)
  await expect(mfa.problem).toBeVisible()
  await mfa.enter(`${third.slice(0, 3)} ${third.slice(3)}`)
  await app.expectWelcome(sven.name)
})

test('a phone that approves: connected by its camera, and the login continues automatically', async ({
  app,
  browser,
  context,
  loginPage,
  page,
}) => {
  const mfa = new MfaPage(page)
  const device = await browser.newContext()
  const phone = await device.newPage()
  await app.startLogin('strong')
  await loginPage.signIn(pola.email)
  await mfa.choose('Approval on your phone')
  const address = await page.getByRole('link', { name: 'You’re on your phone?' }).getAttribute('href')
  await phone.goto(address ?? '')
  await phone.getByRole('button', { name: 'Connect this device' }).click()
  await phone.getByRole('link', { name: 'Open sign-ins to approve' }).click()
  await expect(phone.getByRole('heading', { name: 'Nothing to approve' })).toBeVisible()
  await mfa.keepRecoveryCode()
  await app.expectWelcome(pola.name)

  await forget(context)
  await app.startLogin('strong')
  await loginPage.signIn(pola.email)
  const number = (await page.locator('.match-number').textContent())?.trim() ?? ''
  await expect(phone.getByRole('heading', { name: 'Are you signing in?' })).toBeVisible()
  await expect(phone.getByRole('main')).toContainText('Strong Box')
  await phone.getByLabel('Number on the other screen').fill(number)
  await phone.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await app.expectWelcome(pola.name)

  await forget(context)
  await app.startLogin('strong')
  await loginPage.signIn(pola.email)
  await phone.getByRole('link', { name: 'Open sign-ins to approve' }).click()
  await phone.getByRole('button', { name: 'Reject' }).click()
  await expect(mfa.problem).toContainText('The sign-in was rejected on your phone.')
  await device.close()
})

test('a proven address needs no enrolment', async ({ app, loginPage, page }) => {
  const mfa = new MfaPage(page)
  await app.startLogin('strong')
  await loginPage.signIn(mara.email)
  await mfa.expectTitle('Confirm that it’s you')
  await mfa.enter(await codeTo(mara.email))
  await app.expectWelcome(mara.name)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('enrolling, the recovery code and every way in work all the same', async ({
    app,
    browser,
    context,
    loginPage,
    page,
  }) => {
    const mfa = new MfaPage(page)
    const device = await browser.newContext({ javaScriptEnabled: false })
    const phone = await device.newPage()
    await app.startLogin('strong')
    await loginPage.signIn(nils.email)
    await mfa.choose('Approval on your phone')
    const address = await page.getByRole('link', { name: 'You’re on your phone?' }).getAttribute('href')
    await page.getByRole('button', { name: 'I’ve answered on my phone' }).click()
    await expect(page.getByRole('status').first()).toContainText('Your phone hasn’t answered yet.')
    await phone.goto(address ?? '')
    await phone.getByRole('button', { name: 'Connect this device' }).click()
    await page.getByRole('button', { name: 'I’ve answered on my phone' }).click()
    await mfa.expectTitle('Save your recovery code')
    await expect(page.getByRole('button', { name: 'Copy' })).toBeHidden()
    const recoveryCode = await mfa.keepRecoveryCode()
    await app.expectWelcome(nils.name)

    await forget(context)
    await app.startLogin('strong')
    await loginPage.signIn(nils.email)
    const number = (await page.locator('.match-number').textContent())?.trim() ?? ''
    await phone.getByRole('link', { name: 'Open sign-ins to approve' }).click()
    await phone.getByLabel('Number on the other screen').fill(number)
    await phone.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'I’ve answered on my phone' }).click()
    await app.expectWelcome(nils.name)

    await forget(context)
    await app.startLogin('strong')
    await loginPage.signIn(nils.email)
    await mfa.chooseOther('Recovery code')
    await mfa.enter(recoveryCode)
    await mfa.keepRecoveryCode()
    await app.expectWelcome(nils.name)
    await device.close()
  })
})
