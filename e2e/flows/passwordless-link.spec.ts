// Passwordless login with a mailed link: opened in the same browser, approved from another one, with and without scripts.
import { expect, test } from '../fixtures'
import { PasswordlessPage } from '../screens/passwordless-page'
import { expectAccessible } from '../support/accessibility'
import { newestTo } from '../support/outbox'

const linkTo = async (email: string): Promise<string> => (await newestTo(email)).link ?? ''

test('a mailed link signs in where the login began', async ({ app, page }) => {
  const email = 'ida@letters.test'
  const passwordless = new PasswordlessPage(page)
  await app.startLogin('bottle', { connection: 'letters' })
  await passwordless.sendLink(email)
  await expectAccessible(page, 'waiting for the link')
  await page.goto(await linkTo(email))
  await expectAccessible(page, 'the link, here')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await app.expectWelcome(email)
})

test('opened in another browser it approves by the number, and the login continues automatically', async ({
  app,
  browser,
  page,
}) => {
  const email = 'ole@letters.test'
  const passwordless = new PasswordlessPage(page)
  await app.startLogin('bottle', { connection: 'letters' })
  await passwordless.sendLink(email)
  const phone = await browser.newContext({ locale: 'en' })
  const other = await phone.newPage()
  await other.goto(await linkTo(email))
  await expect(other.getByLabel('Number on the other screen')).toBeFocused()
  await expectAccessible(other, 'the link, elsewhere')
  await other.getByLabel('Number on the other screen').fill(await passwordless.number())
  await other.getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByRole('heading', { level: 1, name: 'Approved' })).toBeVisible()
  await app.expectWelcome(email)
  expect((await phone.cookies()).filter(({ name }) => name.includes('session'))).toEqual([])
  await phone.close()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('rejects another person’s login; the own login continues with a button', async ({ app, browser, page }) => {
    const email = 'eva@letters.test'
    const passwordless = new PasswordlessPage(page)
    await app.startLogin('bottle', { connection: 'letters' })
    await passwordless.sendLink(email)
    const phone = await browser.newContext({ locale: 'en', javaScriptEnabled: false })
    const other = await phone.newPage()
    const first = await linkTo(email)
    await other.goto(first)
    await other.getByRole('button', { name: 'That wasn’t me' }).click()
    await expect(other.getByRole('heading', { level: 1, name: 'Rejected' })).toBeVisible()
    await page.getByRole('button', { name: 'I’ve approved it there' }).click()
    await expect(page.getByRole('alert')).toContainText('The sign-in was rejected')

    await page.getByRole('link', { name: 'Use another address' }).click()
    await passwordless.sendLink('eva.2@letters.test')
    await other.goto(await linkTo('eva.2@letters.test'))
    await page.getByRole('button', { name: 'I’ve approved it there' }).click()
    await expect(page.getByText('hasn’t been opened and approved yet')).toBeVisible()
    await other.getByLabel('Number on the other screen').fill(await passwordless.number())
    await other.getByRole('button', { name: 'Approve' }).click()
    await expect(other.getByRole('heading', { level: 1, name: 'Approved' })).toBeVisible()
    await page.getByRole('button', { name: 'I’ve approved it there' }).click()
    await app.expectWelcome('eva.2@letters.test')
    await phone.close()
  })
})
