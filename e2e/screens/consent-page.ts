import { expect, type Locator, type Page } from '@playwright/test'

export class ConsentPage {
  readonly allow: Locator
  readonly deny: Locator
  readonly scopes: Locator

  constructor(readonly page: Page) {
    this.allow = page.getByRole('button', { name: 'Allow', exact: true })
    this.deny = page.getByRole('button', { name: 'Don’t allow' })
    this.scopes = page.getByRole('main').getByRole('listitem')
  }

  async expectShown(clientName: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: `${clientName} asks for access` })).toBeVisible()
  }
}
