// An application of e2e/interop/apps as its user sees it: it returns the signed-in user as JSON.
import { expect, type Page } from '@playwright/test'

export class FederatedApp {
  constructor(
    readonly page: Page,
    readonly origin: string,
  ) {}

  async startLogin(parameters: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`${this.origin}/login?${new URLSearchParams(parameters)}`)
  }

  /** Expects that the browser returned to the app with these parameters, signed in as the user of that name. */
  async expectSignedIn(name: string, parameters: Record<string, string> = {}): Promise<void> {
    await expect(this.page).toHaveURL((url) => this.isHere(url, parameters))
    await expect(this.page.locator('body')).toContainText('"signedIn":true')
    await expect(this.page.locator('body')).toContainText(name)
  }

  async signOut(): Promise<void> {
    await this.page.goto(`${this.origin}/logout`)
  }

  /** Waits until the application has received the end of the single logout. */
  async expectLoggedOut(parameters: Record<string, string>): Promise<void> {
    await expect(this.page).toHaveURL((url) => this.isHere(url, parameters))
    await expect(this.page.locator('body')).toContainText('"signedIn":false')
  }

  /** Whether the app has a session for this browser. */
  async isSignedIn(): Promise<boolean> {
    await this.page.goto(this.origin)
    return ((await this.page.locator('body').textContent()) ?? '').includes('"signedIn":true')
  }

  private isHere({ origin, pathname, searchParams }: URL, parameters: Record<string, string>): boolean {
    const matches = Object.entries(parameters).every(([name, value]) => searchParams.get(name) === value)
    return origin === this.origin && pathname === '/' && matches
  }
}
