// What is sent to an address, and the row that is stored for it: a code, a link, or both.
// - A link goes on with what an application asked for (`request`), or with a login of the hosted pages that waits for it.
// - Where a mail holds a link alone, the row's code is nobody's; where nobody may sign in, the link is too.

import type { Connection } from '../connections/connection'
import { type CodeDeps, type LinkRequest, makeCode, makeLink, type StoredCode } from '../one-time-code'
import type { Asker } from '../users/allowance'
import type { CodeMessage } from '../users/code-message'

/** Where links lead: with an application's request, with a login that waits. */
export const VERIFY_REDIRECT = '/passwordless/verify_redirect'
export const LINK_PATH = '/u/passwordless-link'

export type Asked = Asker & {
  address: string
  clientId: string
  /** A link that goes on with this request; null for what the login wants, or a code. */
  request: LinkRequest | null
  /** The login of the hosted pages that waits: a link goes on with it, where the connection sends links. */
  login?: WaitingLogin
  locale: string | undefined
}

type WaitingLogin = { handle: string; digest: Uint8Array }

/** What a mail of the hosted pages holds; a text message holds a code. */
export const sendsOf = ({ strategy, settings }: Connection): 'code' | 'link' | 'both' =>
  strategy === 'email' ? settings.options.send : 'code'

type Drawing = Pick<CodeDeps, 'vault' | 'clock' | 'random'>

/** The row to store, and what the message says of it: a code, the path of a link, or both. */
type Composed = { code: StoredCode; says: { code: string; path?: string } | { path: string } }

/** Drawn anew with every message. */
export function composeCode(connection: Connection, asked: Asked, deps: Drawing): Composed {
  const { request, login } = asked
  const { plain, code } = makeCode({ ...asked, connectionId: connection.id }, connection.settings.options.totp, deps)
  if (request !== null) return { code, says: { path: redirectPath(connection, code.address, plain) } }
  const sends = sendsOf(connection)
  if (!login || sends === 'code') return { code, says: { code: plain } }
  const { secret, link } = makeLink(code, login.digest, deps)
  const path = `${LINK_PATH}?${new URLSearchParams({ state: login.handle, ticket: secret })}`
  if (sends === 'both') return { code: { ...code, link }, says: { code: plain, path } }
  return { code: { ...code, link, digest: unowned(code.digest, deps) }, says: { path } }
}

/** As long as that one, and of nothing that was sent. */
const unowned = ({ length }: Uint8Array, { random }: Drawing): Uint8Array => random.bytes(length)

/** The same row, which nothing that was sent fits. */
export const deadCode = (code: StoredCode, deps: Drawing): StoredCode => ({
  ...code,
  digest: unowned(code.digest, deps),
  link: code.link && { ...code.link, digest: unowned(code.link.digest, deps) },
})

const redirectPath = ({ name }: Connection, email: string, plain: string): string =>
  `${VERIFY_REDIRECT}?${new URLSearchParams({ connection: name, email, verification_code: plain })}`

export function messageOf(
  { strategy, settings }: Connection,
  { code: { expiresAt }, says }: Composed,
  { address, ip, locale }: Asked,
): CodeMessage {
  const shared = { to: address, locale, until: expiresAt }
  if (strategy === 'email' || !('code' in says)) return { ...shared, channel: 'email', ...says, ip }
  const { from: sender, gateway_url: gateway } = settings.options
  return { ...shared, channel: 'sms', code: says.code, sender, gateway }
}
