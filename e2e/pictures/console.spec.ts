// The pictures of docs/console.md and of the README, in both themes.
import { fileURLToPath } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { LoginPage } from '../screens/login-page'

const ADA = { email: 'ada@demo.test', password: 'analytical engine 1843' }
const RADIA = { email: 'radia@demo.test', password: 'spanning tree poem' }

const PAGES = [
  ['home', '/console'],
  ['application', '/console/applications/demo-web'],
] as const

const image = (name: string): string => fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url))

async function signIn(page: Page, { email, password }: typeof ADA): Promise<void> {
  const login = new LoginPage(page)
  await login.identify(email)
  await login.password.fill(password)
  await login.submit.click()
}

/** What a login leaves: one that works, one with a wrong password, and one with a callback that is not registered. */
async function activity(browser: Browser): Promise<void> {
  const visitor = await (await browser.newContext()).newPage()
  const request = { client_id: 'demo-web', response_type: 'code', redirect_uri: 'http://localhost:5173/callback' }
  await visitor.goto(`/authorize?${new URLSearchParams({ ...request, scope: 'openid', state: 's' })}`)
  await visitor.context().close()
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
    const picture = async (name: string): Promise<void> => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: image(`console-${name}-${colorScheme}`) })
    }
    for (const [name, path] of PAGES) {
      await page.goto(path)
      await picture(name)
    }
    await page.goto('/console/logins?outcome=failed')
    await page.locator('.co-table tbody tr').first().getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'What went wrong first' })).toBeVisible()
    await picture('login')
    await page.context().close()
  }
})
