// An identity provider's pages, as its user sees them.
import { expect, type Page } from '@playwright/test'
import { PROVIDERS_THERE } from '../origins'

export class UpstreamPage {
  constructor(readonly page: Page) {}

  async expectSignIn(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { name: `Sign in to ${title}` })).toBeVisible()
    expect(this.page.url()).toContain(PROVIDERS_THERE)
  }

  async signIn(email: string): Promise<void> {
    await this.page.getByLabel('Your address').fill(email)
    await this.page.getByRole('button', { name: 'Next' }).click()
  }

  async allow(): Promise<void> {
    await this.page.getByRole('button', { name: 'Allow' }).click()
  }

  async refuse(): Promise<void> {
    await this.page.getByRole('button', { name: 'Refuse' }).click()
  }

  /** A user's first login there. */
  async arrive(title: string, email: string): Promise<void> {
    await this.expectSignIn(title)
    await this.signIn(email)
    await this.allow()
  }
}
