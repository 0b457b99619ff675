// What the pages of docs/quickstarts let a person see and do: every application looks the same.
import { expect, type Page } from '@playwright/test'
import { ConsentPage } from '../screens/consent-page'
import { LoginPage } from '../screens/login-page'

const KIM = { email: 'kim@example.com', password: 'correct horse battery staple' }

export async function signInAndOut(page: Page, address: string): Promise<void> {
  const named = (text: string) => page.getByText(text, { exact: true })
  const login = new LoginPage(page)
  const consent = new ConsentPage(page)
  const greeting = named('Hello, Kim')

  await page.goto(address)
  await named('Log in').click()
  await login.signIn(KIM.email, KIM.password)
  await consent.allow.click()
  await expect(greeting).toBeVisible()

  await page.goto(address)
  await expect(greeting).toBeVisible()
  await named('Read orders').click()
  await expect(page.getByText('{"orders":["a kite"]}')).toBeVisible()

  await page.goto(address)
  await named('Log out').click()
  await expect(named('Log in')).toBeVisible()
  await named('Log in').click()
  await login.expectShown()
}
