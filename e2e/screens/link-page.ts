import { expect, type Locator, type Page } from '@playwright/test'
import { codeTo } from '../support/outbox'

export class LinkPage {
  readonly heading: Locator
  readonly link: Locator
  readonly keepApart: Locator
  readonly proving: Locator
  readonly back: Locator
  /** The newest used code of any mail. */
  used: string | undefined

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { level: 1, name: 'Link your accounts?' })
    this.link = page.getByRole('button', { name: 'Link them' })
    this.keepApart = page.getByRole('button', { name: 'Keep them separate' })
    this.proving = page.getByRole('heading', { level: 1, name: 'Sign in to your other account' })
    this.back = page.getByRole('button', { name: 'Back' })
  }

  /** A user with a verified address has a second factor in this tenant, which linking requires for both accounts. */
  async confirm(email: string): Promise<void> {
    const code = this.page.locator('input[name=code]')
    await expect(code).toBeVisible()
    this.used = await codeTo(email, this.used)
    await code.fill(this.used)
    await this.page.locator('button[value=mfa-verify]').click()
  }

  /** Accepts, and proves the second factor of the account that is signed in. */
  async accept(email: string): Promise<void> {
    await this.link.click()
    await this.confirm(email)
    await expect(this.proving).toBeVisible()
  }

  async expectShown(email: string, way: string): Promise<void> {
    await expect(this.heading).toBeVisible()
    await expect(this.page.getByRole('main')).toContainText(email)
    await expect(this.page.getByRole('listitem').filter({ hasText: way })).toBeVisible()
  }
}
