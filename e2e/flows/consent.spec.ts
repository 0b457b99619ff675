import { expect, test } from '../fixtures'
import { NOTES_API, PEOPLE } from '../people'

const { ana, ben, cleo } = PEOPLE

test('a third-party app has to ask, once', async ({ app, consentPage, loginPage, page }) => {
  const parameters = { scope: 'openid profile email read:notes', audience: NOTES_API }
  await app.startLogin('third', parameters)
  await loginPage.signIn(ana.email)
  await consentPage.expectShown('Night Owl')
  await expect(consentPage.scopes).toHaveText([
    'Recognise you when you come back',
    'See your name and profile picture',
    'See your email address',
    'Read your notes',
  ])
  await expect(page.getByRole('main')).toContainText('Night Owl is not run by')
  await expect(page.getByRole('main')).toContainText(`Signed in as ${ana.email}`)
  await page.reload()
  await consentPage.allow.click()
  await app.expectWelcome(ana.name)

  await app.startLogin('third', parameters)
  await app.expectWelcome(ana.name)

  await app.startLogin('third', { ...parameters, prompt: 'consent' })
  await consentPage.expectShown('Night Owl')
})

test('a refusal reaches the app, and nothing is remembered', async ({ app, consentPage, loginPage }) => {
  await app.startLogin('third')
  await loginPage.signIn(ben.email)
  await consentPage.deny.click()
  await app.expectRefusal('access_denied', 'User did not authorize the request')
  await app.startLogin('third', { prompt: 'none' })
  await app.expectRefusal('login_required')
})

test('asks again when the app wants more', async ({ app, consentPage, loginPage }) => {
  await app.startLogin('third', { scope: 'openid profile', audience: NOTES_API })
  await loginPage.signIn(cleo.email)
  await consentPage.allow.click()
  await app.expectWelcome(cleo.name)

  const more = { scope: 'openid profile write:notes', audience: NOTES_API }
  await app.startLogin('third', { ...more, prompt: 'none' })
  await app.expectRefusal('consent_required', 'Consent required')
  await app.startLogin('third', more)
  await consentPage.expectShown('Night Owl')
  await expect(consentPage.scopes).toContainText(['Recognise you', 'See your name', 'Write and change your notes'])
  await consentPage.allow.click()
  await app.expectWelcome(cleo.name)

  await app.startLogin('third', { scope: 'openid profile', audience: NOTES_API, prompt: 'none' })
  await app.expectWelcome(cleo.name)
})
