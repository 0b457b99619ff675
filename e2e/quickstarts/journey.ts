// What a person sees and does on a page of docs/quickstarts: every application looks the same.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { ConsentPage } from '../screens/consent-page'
import { LoginPage } from '../screens/login-page'
import { startApplication, startLatchkey, typeTheRest, untilAnswers } from './follow'
import { addressOf, callsOrdersApi, fileOf, ORDERS_API, readQuickstart, stepOf } from './page'

const KIM = { email: 'kim@example.com', password: 'correct horse battery staple' }

export type Place = {
  /** The folder named `quickstart` on the page is one per page here: a folder of this one. */
  folder: string
  /** The text of a page with the folders, ports and programs that this run uses. */
  rewrite(text: string): string
}

/** Follows the page from its empty folder to its last output. What it starts runs until `endAll()`. */
export async function follow(page: Page, name: string, { folder, rewrite }: Place): Promise<void> {
  const quickstart = readQuickstart(name, rewrite)
  const address = addressOf(quickstart)
  const orders = rewrite('http://localhost:3001/orders')
  const folderOf = (each: string) => {
    const own = join(folder, each)
    mkdirSync(own, { recursive: true })
    return own
  }
  const start = (each: string) => startApplication(readQuickstart(each, rewrite), folderOf(each))
  writeFileSync(join(folderOf(name), 'tenant.yaml'), fileOf(quickstart, 'tenant.yaml'))
  const latchkey = startLatchkey(stepOf(quickstart, 'latchkey'))
  // Some applications read its metadata when they start.
  await untilAnswers(rewrite('http://localhost:3000/readyz'), latchkey)
  const application = await start(name)
  if (callsOrdersApi(quickstart)) await untilAnswers(orders, await start(ORDERS_API))
  await untilAnswers(address ?? orders, application)
  if (address) await signInAndOut(page, address)
  const { printed, shown } = await typeTheRest(quickstart, join(folder, name))
  expect(printed).toEqual(shown)
}

async function signInAndOut(page: Page, address: string): Promise<void> {
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
  // A development server may still load the page that the logout led to, and would lose the click.
  await page.goto(address)
  await named('Log in').click()
  await page.waitForURL(/\/u\/login\?state=/)
  await login.expectShown()
}
