import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'
import { NEW_PASSWORD, SignUpPage } from '../screens/sign-up-page'
import { newestTo } from '../support/outbox'

const { kim } = PEOPLE

test('signs up from the login page, ends in the app and proves the address by mail', async ({
  app,
  context,
  loginPage,
  noticePage,
  page,
}) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('spa')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await signUpPage.expectShown()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await loginPage.expectShown()
  await page.goBack()
  await signUpPage.signUp('Mia@e2e.test')
  await app.expectWelcome('mia@e2e.test')
  await expect(app.fact('email_verified')).toHaveText('false')

  const mail = await newestTo('mia@e2e.test')
  const link = await context.newPage()
  // Mail scanners open links; nothing happens until the button is pressed.
  await link.goto(mail.link ?? '')
  await link.reload()
  await app.startLogin('spa', { prompt: 'none' })
  await expect(app.fact('email_verified')).toHaveText('false')
  await link.getByRole('button', { name: 'Confirm my address' }).click()
  await expect(link.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  await app.startLogin('spa', { prompt: 'none' })
  await expect(app.fact('email_verified')).toHaveText('true')
  await page.goto(mail.link ?? '')
  await noticePage.expectTitle('This link no longer works')
})

test('an app can ask for the sign-up page first', async ({ app, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('spa', { screen_hint: 'signup', login_hint: 'noa@e2e.test' })
  await signUpPage.expectShown()
  await expect(signUpPage.email).toHaveValue('noa@e2e.test')
  await expect(signUpPage.password).toBeFocused()
  await signUpPage.password.fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await app.expectWelcome('noa@e2e.test')
})

test('an address that is taken is not given away, and what was typed stays', async ({ app, loginPage, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('spa', { screen_hint: 'signup' })
  await signUpPage.signUp(kim.email)
  await expect(signUpPage.problem).toContainText('We couldn’t create an account with these details.')
  await expect(signUpPage.email).toHaveValue(kim.email)
  await expect(signUpPage.password).toHaveValue('')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
})

test('the rules for the password are ticked off while it is typed', async ({ app, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { screen_hint: 'signup', connection: 'Guild' })
  const longEnough = signUpPage.rule('has at least 8 characters')
  const mixed = signUpPage.rule('has at least 3 of these')
  const met = 'data-state'
  await signUpPage.password.pressSequentially('harbour')
  await expect(longEnough).not.toHaveAttribute(met)
  await signUpPage.password.pressSequentially('1')
  await expect(longEnough).toHaveAttribute(met, 'met')
  await expect(mixed).not.toHaveAttribute(met)
  const status = page.getByRole('main').locator('[data-password-rules] [role=status]')
  await expect(status).toContainText('Still missing: has at least 3 of these')
  await signUpPage.password.pressSequentially('X')
  await expect(mixed).toHaveAttribute(met, 'met')
  await expect(status).toHaveText('That looks good.')
})

test('asks for what the connection asks for, and says what is missing', async ({ app, page }) => {
  const signUpPage = new SignUpPage(page)
  await app.startLogin('names', { screen_hint: 'signup', connection: 'Guild', ui_locales: 'en' })
  await expect(page.getByRole('link', { name: 'Terms of use' })).toHaveAttribute('href', 'https://guild.e2e.test/terms')
  await signUpPage.username.fill('lee.w')
  await page.getByLabel('Guild hall').fill('Old Market')
  await page.getByLabel('I keep the rules of the guild').check()
  await signUpPage.signUp('odo@e2e.test', 'too simple')
  await expect(signUpPage.problem).toContainText('Choose another password.')
  await expect(signUpPage.rule('has at least 3 of these')).toHaveAttribute('data-state', 'unmet')
  await expect(signUpPage.password).toBeFocused()
  await expect(page.getByLabel('Guild hall')).toHaveValue('Old Market')
  await expect(page.getByLabel('I keep the rules of the guild')).toBeChecked()
  await signUpPage.username.fill('odo')
  await signUpPage.password.fill(NEW_PASSWORD)
  await signUpPage.submit.click()
  await app.expectWelcome('odo@e2e.test')
})

test('is not offered if the connection is closed to new users', async ({ app, loginPage, page }) => {
  await app.startLogin('names', { screen_hint: 'signup', connection: 'Members' })
  await loginPage.expectShown()
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every refusal and the way in work all the same', async ({ app, page }) => {
    const signUpPage = new SignUpPage(page)
    await app.startLogin('spa', { screen_hint: 'signup' })
    await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
    await signUpPage.signUp('ivy@e2e.test', 'short')
    await expect(signUpPage.problem).toContainText('Choose another password.')
    await expect(signUpPage.rule('has at least 8 characters')).toHaveAttribute('data-state', 'unmet')
    await expect(signUpPage.email).toHaveValue('ivy@e2e.test')
    await signUpPage.password.fill(NEW_PASSWORD)
    await signUpPage.submit.click()
    await app.expectWelcome('ivy@e2e.test')
    const mail = await newestTo('ivy@e2e.test')
    await page.goto(mail.link ?? '')
    await page.getByRole('button', { name: 'Confirm my address' }).click()
    await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  })
})
