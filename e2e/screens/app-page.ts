// The third-party app as its user sees it.
import { expect, type Locator, type Page } from '@playwright/test'
import type { AppName, Tokens } from '../doubles/app-protocol'

export class AppPage {
  constructor(
    readonly page: Page,
    readonly origin: string,
  ) {}

  /** The URL to which the app redirects when "Sign in" is pressed, with additional parameters. */
  loginUrl(app: AppName = 'spa', parameters: Record<string, string> = {}): string {
    return `${this.origin}/login?${new URLSearchParams({ app, ...parameters })}`
  }

  async startLogin(app: AppName = 'spa', parameters: Record<string, string> = {}): Promise<void> {
    await this.page.goto(this.loginUrl(app, parameters))
  }

  async expectWelcome(name: string): Promise<void> {
    await expect(this.page.getByRole('heading', { name: `Hello, ${name}` })).toBeVisible()
  }

  async expectRefusal(error: string, description?: string): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
    await expect(this.fact('error')).toHaveText(error)
    if (description !== undefined) await expect(this.fact('description')).toHaveText(description)
  }

  async expectFarewell(path = '/bye'): Promise<void> {
    await expect(this.page).toHaveURL(`${this.origin}${path}`)
    await expect(this.page.getByRole('heading', { name: 'Goodbye' })).toBeVisible()
  }

  /** A value that the page shows: a claim of the ID token, the scope, an error. */
  fact(name: string): Locator {
    return this.page.locator(`dt:text-is("${name}") + dd`)
  }

  async tokens(): Promise<Tokens> {
    return JSON.parse((await this.page.locator('#tokens').textContent()) ?? '') as Tokens
  }
}
