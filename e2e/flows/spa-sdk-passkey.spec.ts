// Passkeys of the unmodified npm package `@auth0/auth0-spa-js` in a browser: an app on the server's site that asks the device itself.
import type { Page } from '@playwright/test'
import { expect, type SdkWorld, test } from '../sdk-fixtures'
import { virtualAuthenticator } from '../support/virtual-authenticator'

type Outcome = { claims?: Record<string, unknown>; refresh?: boolean; error?: string; description?: string }
type Sdk = {
  passkey: Record<'signup' | 'login', (options: object) => Promise<{ id_token: string; refresh_token?: string }>>
  getUser(): Promise<Record<string, unknown> | undefined>
}
type WithSdk = { auth0: { Auth0Client: new (options: object) => Sdk } }

/** What the SDK returns or throws. */
const call = (page: Page, { domain }: SdkWorld, does: 'signup' | 'login', given: object): Promise<Outcome> =>
  page.evaluate(
    async ([settings, method, options]) => {
      const sdk = new (window as unknown as WithSdk).auth0.Auth0Client(settings)
      try {
        const tokens = await sdk.passkey[method](options)
        return { claims: (await sdk.getUser()) ?? {}, refresh: tokens.refresh_token !== undefined }
      } catch (error) {
        const { code, error: name, message } = error as { code?: string; error?: string; message: string }
        return { error: code ?? name ?? '', description: message }
      }
    },
    [
      { domain, clientId: 'e2e-kite', useRefreshTokens: true, cacheLocation: 'localstorage' },
      does,
      { realm: 'Keyholders', scope: 'openid profile email offline_access', ...given },
    ] as const,
  )

test('signs up and in with a passkey, and reads what is refused', async ({ page, world }) => {
  const device = await virtualAuthenticator(page)
  await page.goto(`${world.app}/spa`)
  const made = await call(page, world, 'signup', { email: 'kite.passkey@e2e.test', name: 'Kit Kite' })
  expect(made).toMatchObject({ claims: { email: 'kite.passkey@e2e.test', name: 'Kit Kite' }, refresh: true })
  expect(await device.credentials()).toHaveLength(1)
  expect(await call(page, world, 'login', {})).toMatchObject({ claims: { email: 'kite.passkey@e2e.test' } })

  const taken = await call(page, world, 'signup', { email: 'kite.passkey@e2e.test' })
  expect(taken).toMatchObject({
    error: 'passkey_register_error',
    description: expect.stringContaining('already exists'),
  })
  const nowhere = await call(page, world, 'login', { realm: 'nowhere' })
  expect(nowhere).toMatchObject({ error: 'passkey_challenge_error' })
})
