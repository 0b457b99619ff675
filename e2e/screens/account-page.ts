import { expect, type Locator, type Page } from '@playwright/test'

export class AccountPage {
  readonly another: Locator

  constructor(readonly page: Page) {
    this.another = page.getByRole('button', { name: 'Use another account' })
  }

  async expectShown(): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible()
  }

  continueAs(name: string): Locator {
    return this.page.getByRole('button', { name: `Continue as ${name}` })
  }
}
