// Second factors of a test server through the API: the policies that require them, and users who have enrolled some.
import { Secret, TOTP } from 'otpauth'
import type { Browser, FormFields, TestResponse } from './browser'
import { PASSWORD, type TestServer } from './server'

const G = 'http://auth0.com/oauth/grant-type'
export const REALM = `${G}/password-realm`
export const OTP = `${G}/mfa-otp`
export const OOB = `${G}/mfa-oob`
export const RECOVERY = `${G}/mfa-recovery-code`
export const MFA_GRANTS = ['password', REALM, 'refresh_token', OTP, OOB, RECOVERY]
export const ALL_FACTORS = ['otp', 'sms', 'email', 'push-notification', 'recovery-code']

export const MFA_WEB = {
  clientId: 'web',
  secret: 'web-secret',
  settings: { grant_types: [...MFA_GRANTS, 'authorization_code'], callbacks: ['https://web.test/cb'] },
}
export const WEB_SECRET: FormFields = { client_id: 'web', client_secret: 'web-secret' }

export const demand = (
  server: TestServer,
  policies: string[] = ['all-applications'],
  factors: readonly string[] = ALL_FACTORS,
  tenant: Record<string, unknown> = {},
): Promise<void> =>
  server.setTenant({
    tenant: tenant as never,
    guardianPolicies: { policies },
    guardianFactors: factors.map((name) => ({ name, enabled: true })),
    guardianPhoneFactorMessageTypes: { message_types: ['sms', 'voice'] },
  })

/** The code that an authenticator app with this key shows, `steps` from now. */
export const codeOf = (server: TestServer, secret: unknown, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({
    timestamp: server.clock.now().getTime() + steps * 30_000,
  })

export const token = (browser: Browser, fields: FormFields): Promise<TestResponse> =>
  browser.post('/oauth/token', { form: { ...WEB_SECRET, ...fields } })

export const logIn = (browser: Browser, username: string, extra: FormFields = {}): Promise<TestResponse> =>
  token(browser, { grant_type: REALM, realm: 'Users', username, password: PASSWORD, scope: 'openid email', ...extra })

export async function mfaToken(browser: Browser, username: string, extra: FormFields = {}): Promise<string> {
  return String((await logIn(browser, username, extra)).json().mfa_token)
}

export const bearer = (value: unknown): Record<string, string> => ({ authorization: `Bearer ${value}` })

export const associate = (browser: Browser, by: unknown, json: object): Promise<TestResponse> =>
  browser.post('/mfa/associate', { json, headers: bearer(by) })

export const challenge = (browser: Browser, by: string, extra: FormFields = {}): Promise<TestResponse> =>
  browser.post('/mfa/challenge', { json: { ...WEB_SECRET, mfa_token: by, ...extra } })

export type EnrolledTestUser = { secret: string; recoveryCode: string; tokens: Record<string, unknown> }

/**
 * A user's first login: enrols and proves an authenticator app. Advances the clock by a minute, so that the next time step is
 * new.
 */
export async function enrollApp(server: TestServer, browser: Browser, username: string): Promise<EnrolledTestUser> {
  const mfa_token = await mfaToken(browser, username)
  const added = (await associate(browser, mfa_token, { authenticator_types: ['otp'] })).json()
  const tokens = (await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, added.secret) })).json()
  server.clock.advance(60)
  const [recoveryCode = ''] = (added.recovery_codes ?? []) as string[]
  return { secret: String(added.secret), recoveryCode, tokens }
}

/** The same with a phone. */
export async function enrollPhone(
  browser: Browser,
  username: string,
  codeTo: () => Promise<string>,
  phone_number = '+491711234567',
): Promise<Record<string, unknown>> {
  const mfa_token = await mfaToken(browser, username)
  const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number }
  const added = (await associate(browser, mfa_token, parameters)).json()
  const fields = { grant_type: OOB, mfa_token, oob_code: String(added.oob_code), binding_code: await codeTo() }
  return (await token(browser, fields)).json()
}
