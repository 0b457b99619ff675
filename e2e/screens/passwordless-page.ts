// The pages of a login with a code: its destination, and the code.
import { expect, type Locator, type Page } from '@playwright/test'

export class PasswordlessPage {
  readonly address: Locator
  readonly code: Locator
  readonly problem: Locator
  readonly again: Locator

  constructor(readonly page: Page) {
    this.address = page.locator('input[name=address]')
    this.code = page.locator('input[name=code]')
    this.problem = page.getByRole('alert')
    this.again = page.getByRole('button', { name: 'Send a new code' })
  }

  async send(address: string): Promise<void> {
    await this.address.fill(address)
    await this.page.getByRole('button', { name: 'Send the code' }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: 'Enter the code' })).toBeVisible()
  }

  async sendLink(address: string): Promise<void> {
    await this.address.fill(address)
    await this.page.getByRole('button', { name: 'Send the link' }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: 'Look at your email' })).toBeVisible()
  }

  /** The number that the link asks for in another browser. */
  async number(): Promise<string> {
    return (await this.page.locator('.match-number').textContent()) ?? ''
  }

  async enter(code: string): Promise<void> {
    await this.code.fill(code)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }
}
