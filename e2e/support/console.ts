// Ways into the console: as a person who is known, and as a new administrator with a role.
import { randomUUID } from 'node:crypto'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { ADA } from '../people'
import { LoginPage } from '../screens/login-page'

/** `directory`: the name of the person's database. */
type Person = { email: string; password: string; directory?: string }

const FIRST = 'Username-Password-Authentication'

/** The tenant has many databases, so the console asks which. */
export async function signIn(page: Page, { email, password, directory = FIRST }: Person): Promise<void> {
  const login = new LoginPage(page, { identifier: 'Email or username' })
  await login.identify(email)
  await login.directory.selectOption(directory)
  await login.password.fill(password)
  await login.submit.click()
}

export async function enter(page: Page, path: string, person: Person): Promise<void> {
  await page.goto(path)
  await signIn(page, person)
  await expect(page).toHaveURL((url) => url.pathname === new URL(path, url).pathname)
}

/** A page of a person in a browser of their own, who accepts an invitation. */
export async function acceptInvitation(browser: Browser, link: string, person: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, person)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(sections(page)).toBeVisible()
  return page
}

/** A page of a new administrator. */
export async function enterAs(browser: Browser, role: string): Promise<Page> {
  const person = { email: `${randomUUID()}@e2e.test`, password: 'a quiet harbour in winter' }
  const context = await browser.newContext()
  const page = await context.newPage()
  await enter(page, `/console/users/new?connection=${FIRST}`, ADA)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await context.close()
  return acceptInvitation(browser, await invite(browser, role), person)
}

/** A link that makes its user an administrator. */
export async function invite(browser: Browser, role: string): Promise<string> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await enter(page, '/console/administrators', ADA)
  const form = page.getByRole('region', { name: 'Invite' })
  await form.getByLabel('Role').selectOption(role)
  await form.getByRole('button', { name: 'Make a link' }).click()
  const link = (await form.locator('.co-secret').textContent()) ?? ''
  await context.close()
  return link
}

export const title = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name })

export const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' })

/** A group of settings. */
export const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
