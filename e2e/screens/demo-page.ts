import { expect, type Locator, type Page } from '@playwright/test'

export class DemoPage {
  readonly signIn: Locator
  readonly refresh: Locator
  readonly userInfo: Locator
  readonly logOut: Locator
  readonly news: Locator

  constructor(readonly page: Page) {
    this.signIn = page.getByRole('button', { name: 'Sign in' })
    this.refresh = page.getByRole('button', { name: 'Refresh tokens' })
    this.userInfo = page.getByRole('button', { name: 'Ask user info' })
    this.logOut = page.getByRole('button', { name: 'Log out' })
    this.news = page.getByRole('main').getByRole('status')
  }

  async open(): Promise<void> {
    await this.page.goto('/demo')
    await expect(this.signIn).toBeEnabled()
  }

  async expectSignedIn(name: string): Promise<void> {
    const person = this.page.getByRole('complementary', { name: 'Who is signed in' })
    await expect(person).toContainText(name)
  }

  card(name: string): Locator {
    return this.page.getByRole('region', { name })
  }
}
