// Composes the message to an address and the row stored for it: a code, a link, or both.
// - A link continues an authorization request of a client (`request`), or a waiting login of the hosted pages.
// - If a mail contains only a link, the row's code matches nothing. If the address may not sign in, neither code nor link
//   matches.

import type { PasswordlessConnection } from '../../data/connections/connection'
import type { MailedOrganization } from '../../data/outbox/message'
import type { RequestSource } from '../../data/users/allowance'
import type { CodeMessage } from '../../data/users/code-message'
import type { User } from '../../data/users/user'
import {
  type CarriedParameters,
  type CodeDeps,
  makeCode,
  makeLink,
  type StoredCode,
} from '../one-time-codes/one-time-code'

/** The paths of links: for a client's request, and for a waiting login. */
export const VERIFY_REDIRECT = '/passwordless/verify_redirect'
export const LINK_PATH = '/u/passwordless-link'

export type CodeRequest = RequestSource & {
  address: string
  clientId: string
  /** The request that a link continues; null for a login of the hosted pages or for a code. */
  request: CarriedParameters | null
  /** The waiting login of the hosted pages, which a link continues if the connection sends links. */
  login?: WaitingLogin
  locale: string | undefined
  organization?: MailedOrganization | null | undefined
}

type WaitingLogin = { handle: string; digest: Uint8Array }

/** The content of a mail from the hosted pages; a text message always contains a code. */
export const sendsOf = (connection: PasswordlessConnection): 'code' | 'link' | 'both' =>
  connection.strategy === 'email' ? connection.settings.options.send : 'code'

type Drawing = Pick<CodeDeps, 'vault' | 'clock' | 'random'>

/** The row to store, and the content of the message: a code, the path of a link, or both. */
type Composed = { code: StoredCode; says: { code: string; path?: string } | { path: string } }

/** Every message gets a new code and link. */
export function composeCode(connection: PasswordlessConnection, codeRequest: CodeRequest, deps: Drawing): Composed {
  const { request, login } = codeRequest
  const { plain, code } = makeCode(
    { ...codeRequest, connectionId: connection.id },
    connection.settings.options.totp,
    deps,
  )
  if (request !== null) return { code, says: { path: redirectPath(connection, code.address, plain) } }
  const sends = sendsOf(connection)
  if (!login || sends === 'code') return { code, says: { code: plain } }
  const { secret, link } = makeLink(code, login.digest, deps)
  const path = `${LINK_PATH}?${new URLSearchParams({ state: login.handle, ticket: secret })}`
  if (sends === 'both') return { code: { ...code, link }, says: { code: plain, path } }
  return { code: { ...code, link, digest: unowned(code.digest, deps) }, says: { path } }
}

/** Random bytes of the same length, which match nothing that was sent. */
const unowned = ({ length }: Uint8Array, { random }: Drawing): Uint8Array => random.bytes(length)

/** The same row, but no code or link matches it. */
export const deadCode = (code: StoredCode, deps: Drawing): StoredCode => ({
  ...code,
  digest: unowned(code.digest, deps),
  link: code.link && { ...code.link, digest: unowned(code.link.digest, deps) },
})

const redirectPath = ({ name }: PasswordlessConnection, email: string, plain: string): string =>
  `${VERIFY_REDIRECT}?${new URLSearchParams({ connection: name, email, verification_code: plain })}`

export function messageOf(
  connection: PasswordlessConnection,
  { code: { expiresAt }, says }: Composed,
  { address, clientId, ip, locale, organization }: CodeRequest,
  user: User | null,
): CodeMessage {
  const cause = { user, clientId, connectionId: connection.id, organization, ip }
  const shared = { to: address, locale, until: expiresAt, ...cause }
  if (connection.strategy === 'email' || !('code' in says)) return { ...shared, channel: 'email', ...says }
  const { from: sender, gateway_url: gateway } = connection.settings.options
  return { ...shared, channel: 'sms', code: says.code, sender, gateway }
}
