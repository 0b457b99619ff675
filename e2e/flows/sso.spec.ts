import { expect, test } from '../fixtures'
import { PEOPLE } from '../people'

const { kim, tab } = PEOPLE

test('signs in to a second app without a form', async ({ app, loginPage, page }) => {
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  const sid = await app.fact('sid').textContent()

  const shown: string[] = []
  page.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname))
  await app.startLogin('web')
  await app.expectWelcome(kim.name)
  await expect(app.fact('aud')).toHaveText('e2e-web')
  await expect(app.fact('sid')).toHaveText(sid ?? '')
  expect(shown).toEqual(['/callback'])
})

test('prompt=none answers without showing anything', async ({ app, loginPage }) => {
  await app.startLogin('spa', { prompt: 'none' })
  await app.expectRefusal('login_required', 'Login required')
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)
  await app.startLogin('web', { prompt: 'none' })
  await app.expectWelcome(kim.name)
})

for (const [name, value] of [
  ['prompt', 'login'],
  ['max_age', '0'],
] as const) {
  test(`asks for the password again with ${name}=${value}`, async ({ app, loginPage }) => {
    await app.startLogin('spa')
    await loginPage.signIn(kim.email)
    await app.expectWelcome(kim.name)
    await app.startLogin('spa', { [name]: value })
    await loginPage.expectShown()
    await loginPage.signIn(kim.email)
    await app.expectWelcome(kim.name)
    await expect(app.fact('auth_time')).toHaveText(/^\d+$/)
  })
}

test('prompt=select_account offers the account, or another one', async ({ app, accountPage, loginPage }) => {
  await app.startLogin('spa')
  await loginPage.signIn(kim.email)
  await app.expectWelcome(kim.name)

  await app.startLogin('spa', { prompt: 'select_account' })
  await accountPage.expectShown()
  await accountPage.continueAs(kim.name).click()
  await app.expectWelcome(kim.name)

  await app.startLogin('spa', { prompt: 'select_account' })
  await accountPage.another.click()
  await loginPage.expectShown()
  await expect(loginPage.identifier).toHaveValue('')
  await loginPage.signIn(tab.email)
  await app.expectWelcome(tab.name)

  await app.startLogin('web')
  await app.expectWelcome(tab.name)
})
