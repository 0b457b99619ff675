// The login page of a provider on a third-party library (e2e/interop/apps/support/front-door.mjs).
import { expect, type Page } from '@playwright/test'

export class ProviderPage {
  constructor(readonly page: Page) {}

  async expectShown(place: string): Promise<void> {
    await expect(this.page.getByRole('heading', { name: `The ${place}` })).toBeVisible()
  }

  async enter(name: string): Promise<void> {
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByRole('button', { name: 'Enter' }).click()
  }
}
