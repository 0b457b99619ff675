import { expect, type Locator, type Page } from '@playwright/test'
import { PASSWORD } from '../people'

/** The texts of the page that tests look for, by language. */
type Words = { title: string; identifier: string; password: string; submit: string }

const ENGLISH: Words = { title: 'Sign in', identifier: 'Email address', password: 'Password', submit: 'Sign in' }

export class LoginPage {
  readonly heading: Locator
  readonly identifier: Locator
  readonly password: Locator
  readonly submit: Locator
  readonly problem: Locator
  /** Where the login has too many databases to try all of them. */
  readonly directory: Locator

  constructor(
    readonly page: Page,
    words: Partial<Words> = {},
  ) {
    const { title, identifier, password, submit } = { ...ENGLISH, ...words }
    this.heading = page.getByRole('heading', { level: 1, name: title })
    this.identifier = page.getByLabel(identifier, { exact: true })
    this.password = page.getByLabel(password, { exact: true })
    this.submit = page.getByRole('button', { name: submit, exact: true })
    this.problem = page.getByRole('alert')
    this.directory = page.getByLabel('Directory', { exact: true })
  }

  async expectShown(): Promise<void> {
    await expect(this.heading).toBeVisible()
    await expect(this.page).toHaveURL(/\/u\/login\?state=/)
  }

  async fill(identifier: string, password: string = PASSWORD): Promise<void> {
    await this.identifier.fill(identifier)
    await this.password.fill(password)
  }

  /** The page that asks for the address only, since it may belong to a provider. */
  async identify(identifier: string): Promise<void> {
    await this.identifier.fill(identifier)
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click()
  }

  async signIn(identifier: string, password: string = PASSWORD): Promise<void> {
    await this.fill(identifier, password)
    await this.submit.click()
  }
}
