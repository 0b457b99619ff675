import { expect, type Locator, type Page } from '@playwright/test'

export class PortalPage {
  readonly items: Locator

  constructor(readonly page: Page) {
    this.items = page.locator('.portal-item')
  }

  /** By the navigation that every page has. */
  async open(title: string): Promise<void> {
    await this.page.getByRole('link', { name: title, exact: true }).click()
    await this.expectShown(title)
  }

  async expectShown(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** The button beside an item. */
  async pressAt(item: string, name: string): Promise<void> {
    await this.items.filter({ hasText: item }).getByRole('button', { name }).click()
  }

  async expectNotice(text: string): Promise<void> {
    await expect(this.page.getByText(text)).toBeVisible()
  }
}
