// Reads the answer of a token endpoint (RFC 6749 5.1, 5.2) more widely than its grammar, so that the library can validate it.
// - JSON counts under every content type. Optional members that are empty or of another type are left out.
// - Plain OAuth 2.0 providers also answer form-encoded, send scopes as a list, and add an ID token without the requested nonce. The
//   ID token is dropped: the user's claims come from the provider's API, by the token received over TLS.
// - An error is an error in each of these forms, and with status 200.
import type { ProviderRow } from '../../data/connections/upstream/providers'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import type { IncomingAnswer } from '../../kernel/call-out'
import { isJsonObject, type JsonObject } from '../../kernel/json'

/** The body to pass on as JSON, with its status; null to pass on the answer as it is. */
export function readTokenAnswer(
  { status, body }: Pick<IncomingAnswer, 'status' | 'body'>,
  protocol: ProviderRow['protocol'],
): { status: number; answer: JsonObject } | null {
  const text = Buffer.from(body).toString().trim()
  const found = objectOf(text) ?? (protocol === 'oauth2' ? formOf(text) : null)
  if (!found) return null
  if (found.error) {
    const { error, error_description: description } = found
    const answer: JsonObject = { error: typeof error === 'string' ? error : 'server_error' }
    if (typeof description === 'string') answer.error_description = description
    return { status: status >= 400 && status < 500 ? status : 400, answer }
  }
  if (status < 200 || status > 299) return null
  if (!isText(found.access_token)) throw new UpstreamError('unreachable', 'the token endpoint answered no access token')
  return { status: 200, answer: tidied(found, protocol) }
}

export function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** Only a text that is a form and nothing else: `access_token=…&token_type=bearer`, `error=…`. */
function formOf(text: string): JsonObject | null {
  if (!/^[\w.~%+-]+=[^\s<>]*$/.test(text)) return null
  const form = new URLSearchParams(text)
  if (!form.has('access_token') && !form.has('error')) return null
  const { expires, ...members } = Object.fromEntries([...form].reverse())
  return { ...(expires === undefined ? {} : { expires_in: expires }), ...members }
}

function tidied(found: JsonObject, protocol: ProviderRow['protocol']): JsonObject {
  const { token_type: type, expires_in: lifetime, refresh_token, scope, id_token, ...members } = found
  const scopes = Array.isArray(scope) ? scope.join(' ') : scope
  if (protocol === 'oidc' && isText(id_token)) refuseEncrypted(id_token, 'the ID token')
  const seconds = isText(lifetime) ? Number(lifetime) : lifetime
  return {
    ...members,
    token_type: bearer(type),
    ...(typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? { expires_in: seconds } : {}),
    ...(isText(refresh_token) ? { refresh_token } : {}),
    ...(isText(scopes) ? { scope: scopes } : {}),
    ...(protocol === 'oidc' && isText(id_token) ? { id_token } : {}),
  }
}

/** A JWE in compact form (RFC 7516 7.1) has five parts; this server publishes no key to encrypt to. */
export function refuseEncrypted(token: string, what: string): void {
  if (token.split('.').length === 5)
    throw new UpstreamError('unreachable', `${what} is encrypted, which this server cannot read`)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Absent, `Bearer`, `BearerToken`: the token is used as a bearer token. Any other type is not understood, and refused. */
function bearer(type: unknown): string {
  if (!isText(type) || /^bearer(?:[ _]?token)?$/i.test(type)) return 'bearer'
  throw new UpstreamError('unreachable', `a token of the type ${JSON.stringify(type.slice(0, 50))} is not understood`)
}
