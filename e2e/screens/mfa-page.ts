// The pages of second factors, and a third-party authenticator app.
import { expect, type Locator, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

export class MfaPage {
  readonly code: Locator
  readonly goOn: Locator
  readonly problem: Locator
  readonly secret: Locator
  readonly recoveryCode: Locator

  constructor(readonly page: Page) {
    this.code = page.locator('input[name=code]')
    this.goOn = page.getByRole('button', { name: 'Continue', exact: true })
    this.problem = page.getByRole('alert')
    this.secret = page.locator('#secret')
    this.recoveryCode = page.locator('#recovery-code')
  }

  async expectTitle(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }

  async choose(factor: string): Promise<void> {
    await this.page.getByRole('button', { name: factor }).click()
  }

  async chooseOther(factor: string): Promise<void> {
    await this.page.getByText('Try another way').click()
    await this.choose(factor)
  }

  async enter(code: string): Promise<void> {
    await this.code.fill(code)
    await this.goOn.click()
  }

  /** The authenticator app for the key that the page shows. */
  async scan(): Promise<AuthenticatorApp> {
    return new AuthenticatorApp((await this.secret.textContent()) ?? '')
  }

  /** Confirms that the recovery code is saved, and returns it. */
  async keepRecoveryCode(): Promise<string> {
    await this.expectTitle('Save your recovery code')
    const code = (await this.recoveryCode.textContent()) ?? ''
    await this.page.getByRole('button', { name: 'I’ve saved it, continue' }).click()
    return code
  }
}

export class AuthenticatorApp {
  readonly #totp: TOTP
  #steps = 0

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /** A code is accepted once, so the next code is that of the next time step; the server accepts one step ahead. */
  next(): string {
    const timestamp = Date.now() + this.#steps * STEP_MS
    this.#steps += 1
    return this.#totp.generate({ timestamp })
  }
}
