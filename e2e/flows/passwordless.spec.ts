// Passwordless login with a code: with and without scripts, by mail and by text message.
import { expect, test } from '../fixtures'
import { PasswordlessPage } from '../screens/passwordless-page'
import { expectAccessible } from '../support/accessibility'
import { codeTo } from '../support/outbox'

test('a mailed code signs in a new user, and the same user again later', async ({ app, context, page }) => {
  const email = 'mia@bottle.test'
  const passwordless = new PasswordlessPage(page)
  await app.startLogin('bottle')
  await expect(passwordless.address).toBeFocused()
  await expectAccessible(page, 'address')
  await passwordless.send(email)
  await expect(passwordless.code).toBeFocused()
  await expect(passwordless.code).toHaveAttribute('autocomplete', 'one-time-code')
  await expectAccessible(page, 'code')
  await expect(page.getByText(/A new code can be sent in \d+ s\./)).toBeVisible()
  await expect(passwordless.again).toBeDisabled()
  const code = await codeTo(email)
  await passwordless.enter(code === '000000' ? '111111' : '000000')
  await expect(passwordless.problem).toContainText('This code isn’t right')
  await expectAccessible(page, 'wrong code')
  await passwordless.enter(`${code.slice(0, 3)} ${code.slice(3)}`)
  await app.expectWelcome(email)

  await context.clearCookies()
  await app.startLogin('bottle', { login_hint: email })
  await expect(passwordless.address).toHaveValue(email)
  await passwordless.send(email)
  await passwordless.enter(await codeTo(email, code))
  await app.expectWelcome(email)
})

test('a text message does the same for a number', async ({ app, page }) => {
  const passwordless = new PasswordlessPage(page)
  await app.startLogin('bottle', { connection: 'sms' })
  await passwordless.send('+49 151 23456788')
  await passwordless.enter(await codeTo('+4915123456788'))
  await app.expectWelcome('+4915123456788')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('everything works, and another code too early is explained', async ({ app, page }) => {
    const email = 'noa@bottle.test'
    const passwordless = new PasswordlessPage(page)
    await app.startLogin('bottle')
    await passwordless.send('noa@other.test')
    await page.getByRole('link', { name: 'Use another address' }).click()
    await passwordless.send(email)
    await passwordless.again.click()
    await expect(page.getByText('A code was sent only a moment ago.')).toBeVisible()
    await passwordless.enter(await codeTo(email))
    await app.expectWelcome(email)
  })
})
