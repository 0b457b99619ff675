// An application of e2e/interop/apps as its user sees it: it says in JSON who is signed in.
import { expect, type Page } from '@playwright/test'

export class FederatedApp {
  constructor(
    readonly page: Page,
    readonly origin: string,
  ) {}

  async startLogin(parameters: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`${this.origin}/login?${new URLSearchParams(parameters)}`)
  }

  /** That the browser came back to it, with what is told in the address, signed in as somebody of that name. */
  async expectSignedIn(name: string, parameters: Record<string, string> = {}): Promise<void> {
    await expect(this.page).toHaveURL((url) => this.isHere(url, parameters))
    await expect(this.page.locator('body')).toContainText('"signedIn":true')
    await expect(this.page.locator('body')).toContainText(name)
  }

  async signOut(): Promise<void> {
    await this.page.goto(`${this.origin}/logout`)
  }

  /** Where the browser is after the application has heard that everybody was told. */
  async expectLoggedOut(parameters: Record<string, string>): Promise<void> {
    await expect(this.page).toHaveURL((url) => this.isHere(url, parameters))
    await expect(this.page.locator('body')).toContainText('"signedIn":false')
  }

  /** Whether it knows this browser, now. */
  async isSignedIn(): Promise<boolean> {
    await this.page.goto(this.origin)
    return ((await this.page.locator('body').textContent()) ?? '').includes('"signedIn":true')
  }

  private isHere({ origin, pathname, searchParams }: URL, parameters: Record<string, string>): boolean {
    const told = Object.entries(parameters).every(([name, value]) => searchParams.get(name) === value)
    return origin === this.origin && pathname === '/' && told
  }
}
