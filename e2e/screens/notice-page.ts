// Pages with a notice and a way to continue: errors, signed-out pages, unblocking, the confirmation before logout.
import { expect, type Locator, type Page } from '@playwright/test'

export class NoticePage {
  readonly wayOn: Locator
  readonly signOut: Locator
  readonly stay: Locator
  readonly unlock: Locator

  constructor(readonly page: Page) {
    this.wayOn = page.getByRole('link', { name: 'Start again' })
    this.signOut = page.getByRole('button', { name: 'Sign out' })
    this.stay = page.getByRole('button', { name: 'Stay signed in' })
    this.unlock = page.getByRole('button', { name: 'Unlock my account' })
  }

  async expectTitle(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
}
