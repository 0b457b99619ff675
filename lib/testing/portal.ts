// The steps of a person in the account portal that many tests start with.
import { locationOf, submitPassword } from './journey'
import type { Browser, TestResponse } from './server'

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
export async function submitInPortal(
  browser: Browser,
  page: string,
  fields: Record<string, string>,
): Promise<TestResponse> {
  return browser.post(`/account/${page}`, { form: { confirmation: await confirmationOf(browser), ...fields } })
}

/** The deletion of the account, asked for and confirmed. */
export const deleteInPortal = (browser: Browser): Promise<TestResponse> =>
  submitInPortal(browser, 'data', { action: 'delete', sure: 'yes' })

/** From the portal through the sign-in that a new password needs, to the page that sets it; returns where that leads. */
export async function proveForPassword(browser: Browser, email: string): Promise<URL> {
  const login = locationOf(await submitInPortal(browser, 'password', { action: 'change' }))
  return locationOf(await submitPassword(browser, login.searchParams.get('state') ?? '', email))
}
