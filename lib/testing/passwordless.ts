// Passwordless logins of a test server: its connections, and the messages to an address.
import { type InboxMessage, readInbox } from '../data/outbox/inbox'
import type { Browser, FormFields, TestResponse } from './browser'
import type { TestServer } from './server'

export async function addPasswordless(
  server: TestServer,
  options: { email?: object; sms?: object } = {},
): Promise<void> {
  await server.addConnection('email', { options: { ...options.email } }, 'con_email', 'email')
  await server.addConnection('sms', { options: { ...options.sms } }, 'con_sms', 'sms')
}

/** Newest first; messages without a recipient are not included. */
export async function messagesTo(server: TestServer, address: string): Promise<InboxMessage[]> {
  const { outbox, tenantId } = await server.runtime()
  server.clock.advance(1)
  return readInbox({ tenantId, to: address, channel: undefined }, { outbox, vault: server.vault })
}

/** Advances the clock by a second, so that the next message is newer. */
export async function codeTo(server: TestServer, address: string): Promise<string> {
  server.clock.advance(1)
  const [message] = await messagesTo(server, address)
  return message?.code ?? 'none'
}

/** A code that differs from `code`. */
export const wrong = (code: string): string => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0')

export const start = (browser: Browser, json: object): Promise<TestResponse> =>
  browser.post('/passwordless/start', { json: { client_id: 'spa', ...json } })

export const sendTo = (browser: Browser, email: string, extra: object = {}): Promise<TestResponse> =>
  start(browser, { connection: 'email', email, send: 'code', ...extra })

export const OTP_GRANT = 'http://auth0.com/oauth/grant-type/passwordless/otp'

export const redeemCode = (
  browser: Browser,
  username: string,
  otp: string,
  extra: FormFields = {},
): Promise<TestResponse> =>
  browser.post('/oauth/token', {
    form: { grant_type: OTP_GRANT, client_id: 'spa', realm: 'email', username, otp, ...extra },
  })
