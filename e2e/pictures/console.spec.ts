// The pictures of docs/console.md and of the README, in both themes.
import { fileURLToPath } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { LoginPage } from '../screens/login-page'

const ADA = { email: 'ada@demo.test', password: 'analytical engine 1843' }
const RADIA = { email: 'radia@demo.test', password: 'spanning tree poem' }

const PAGES = [
  ['home', '/console'],
  ['application', '/console/applications/demo-web'],
  ['users', '/console/users'],
  ['logs', '/console/logs'],
] as const

const image = (name: string): string => fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url))

async function signIn(page: Page, { email, password }: typeof ADA): Promise<void> {
  const login = new LoginPage(page)
  await login.identify(email)
  await login.password.fill(password)
  await login.submit.click()
}

/** What a login leaves: one that works, and one with a wrong password. */
async function activity(browser: Browser): Promise<void> {
  for (const person of [ADA, { ...RADIA, password: 'not the password' }]) {
    const page = await (await browser.newContext()).newPage()
    await page.goto('/demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn(page, person)
    await expect(person === ADA ? page.getByText(ADA.email).first() : page.getByRole('alert')).toBeVisible()
    await page.context().close()
  }
}

test('the pages of the console are pictured in both themes', async ({ browser }) => {
  await activity(browser)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser.newContext({ colorScheme, reducedMotion: 'reduce' })).newPage()
    await page.goto('/console')
    await signIn(page, ADA)
    for (const [name, path] of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: image(`console-${name}-${colorScheme}`) })
    }
    await page.context().close()
  }
})
