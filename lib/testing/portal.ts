// The steps of a person in the account portal that many tests start with.
import { locationOf, submitPassword } from './journey'
import type { Answer, Browser } from './server'

/** From a page of the portal through the login; returns where the login leads. */
export async function enterPortal(browser: Browser, email: string, path = '/account'): Promise<URL> {
  const state = locationOf(await browser.get(path)).searchParams.get('state') ?? ''
  return locationOf(await submitPassword(browser, state, email))
}

/** What the forms of the session send beside their fields. */
export async function confirmationOf(browser: Browser): Promise<string> {
  const { text } = await browser.get('/account/profile')
  return /name="confirmation" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Submits a form of a page of the portal. */
export async function submitInPortal(browser: Browser, page: string, fields: Record<string, string>): Promise<Answer> {
  return browser.post(`/account/${page}`, { form: { confirmation: await confirmationOf(browser), ...fields } })
}
