// Ways into the console: as a person who is known, and as a new administrator with a role.
import { randomUUID } from 'node:crypto'
import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
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

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Sessions that this worker has started, by the address of their person. */
const sessions = new Map<string, { startedAt: number; cookies: Cookies }>()

/** Milliseconds. A step that needs a recent login takes one of ten minutes. */
const USED_MS = 300_000

/** Enters with a session of this worker, so that not every test spends seconds on a login. `enterAfresh` begins one. */
export async function enter(page: Page, path: string, person: Person): Promise<void> {
  const session = sessions.get(person.email)
  if (session === undefined || Date.now() - session.startedAt > USED_MS) return enterAfresh(page, path, person)
  const context = page.context()
  await context.addCookies(session.cookies)
  await page.goto(path)
  if (isAt(page, path)) return
  sessions.delete(person.email)
  await context.clearCookies()
  await enterAfresh(page, path, person)
}

export async function enterAfresh(page: Page, path: string, person: Person): Promise<void> {
  await page.goto(path)
  await signIn(page, person)
  await expect(page).toHaveURL((url) => url.pathname === new URL(path, url).pathname)
  await keepSession(page, person)
}

const isAt = (page: Page, path: string): boolean => new URL(page.url()).pathname === new URL(path, page.url()).pathname

/** Without the zone and the language, which each browser has of its own. */
async function keepSession(page: Page, { email }: Person): Promise<void> {
  const cookies = await page.context().cookies()
  sessions.set(email, { startedAt: Date.now(), cookies: cookies.filter(({ name }) => !name.endsWith('.place')) })
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

const PASSWORD = 'a quiet harbour in winter'

/** The administrators that this worker has made, by the label of their role. */
const administrators = new Map<string, Person>()

/** A page of an administrator with the role, who is also in other tests of the worker. */
export async function enterAs(browser: Browser, role: string): Promise<Page> {
  const known = administrators.get(role)
  if (known === undefined) {
    const { page, person } = await makeAdministrator(browser, role)
    administrators.set(role, person)
    await keepSession(page, person)
    return page
  }
  const page = await (await browser.newContext()).newPage()
  await enter(page, '/console', known)
  return page
}

/** A page of a new administrator, who is in no other test. */
export const enterAsNew = async (browser: Browser, role: string): Promise<Page> =>
  (await makeAdministrator(browser, role)).page

async function makeAdministrator(browser: Browser, role: string): Promise<{ page: Page; person: Person }> {
  const person = { email: `${randomUUID()}@e2e.test`, password: PASSWORD }
  const context = await browser.newContext()
  const page = await context.newPage()
  await enter(page, `/console/users/new?connection=${FIRST}`, ADA)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created.')).toBeVisible()
  await context.close()
  return { page: await acceptInvitation(browser, await invite(browser, role), person), person }
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
