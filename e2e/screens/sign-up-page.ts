import { expect, type Locator, type Page } from '@playwright/test'

/** Satisfies every policy of e2e/tenant.yaml. */
export const NEW_PASSWORD = 'Lantern over the harbour 7'

export class SignUpPage {
  readonly email: Locator
  readonly username: Locator
  readonly password: Locator
  readonly submit: Locator
  readonly problem: Locator
  readonly rules: Locator

  constructor(readonly page: Page) {
    this.email = page.getByLabel('Email address', { exact: true })
    this.username = page.getByLabel('Username', { exact: true })
    this.password = page.getByLabel(/^(New p|P)assword$/)
    this.submit = page.getByRole('button', { name: 'Create account', exact: true })
    this.problem = page.getByRole('alert')
    this.rules = page.getByRole('main').locator('[data-rule]')
  }

  async expectShown(): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible()
    await expect(this.page).toHaveURL(/\/u\/signup\?state=/)
  }

  async signUp(email: string, password: string = NEW_PASSWORD): Promise<void> {
    await this.email.fill(email)
    await this.password.fill(password)
    await this.submit.click()
  }

  /** The state of a password rule on the page. */
  rule(words: string): Locator {
    return this.rules.filter({ hasText: words })
  }
}
