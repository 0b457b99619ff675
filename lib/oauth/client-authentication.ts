// Client authentication at the token endpoint and its neighbours (RFC 6749 2.3; threat-model.md CO4).
// - The registered method is required; two methods in one request and a secret in the URL are refused.
// - Assertions are verified by client-assertion.ts, which is loaded with the first one.
// - Unknown client, wrong secret and wrong method have one answer. Secrets are compared in constant time.
import { type Client, SECRET_PURPOSE } from '../clients/client'
import { type HttpRequest, textMember } from '../http/message'
import { invalidClient, invalidRequest } from '../kernel/errors'
import { lazy } from '../kernel/lazy'
import type { Parameters } from '../kernel/parameters'
import { equalsConstantTime, type Vault } from '../kernel/secret'
import type { AssertionDeps } from './client-assertion'

type Deps = AssertionDeps & { vault: Vault }

/** The body parameters that identify a client. */
export const CREDENTIAL_PARAMETERS = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
] as const
export type CredentialParameters = { [name in (typeof CREDENTIAL_PARAMETERS)[number]]?: string | undefined }

/** For endpoints that pick the members of a body by name. */
export const credentialsIn = (members: Readonly<Record<string, unknown>>): CredentialParameters =>
  Object.fromEntries(CREDENTIAL_PARAMETERS.map((name) => [name, textMember(members, name)]))

type Presented = { method: 'none' | 'client_secret_post' | 'client_secret_basic'; clientId: string; secret: string }

const assertions = lazy(() => import('./client-assertion'))

export async function authenticateClient(request: HttpRequest, parameters: Parameters, deps: Deps): Promise<Client> {
  for (const name of ['client_secret', 'client_assertion']) {
    if (request.query.has(name)) throw invalidRequest(`${name} must not be in the URL`)
  }
  if ((parameters.client_assertion ?? parameters.client_assertion_type) !== undefined) {
    return (await assertions()).authenticateByAssertion(request, parameters, deps)
  }
  const presented = readCredentials(request, parameters)
  const client = await deps.clients.find(presented.clientId)
  if (client) deps.trail.context({ client })
  const expected = client?.secretDigest ?? Buffer.alloc(32)
  const matches =
    presented.method !== 'none' && equalsConstantTime(deps.vault.mac(SECRET_PURPOSE, presented.secret), expected)
  if (!client) throw invalidClient('unknown client')
  if (!client.authMethods.has(presented.method)) {
    throw invalidClient(`registered for ${client.authMethod}, sent ${presented.method}`)
  }
  if (!client.isPublic && !matches) throw invalidClient('wrong secret')
  return client
}

function readCredentials(request: HttpRequest, { client_id, client_secret }: Parameters): Presented {
  const basic = readBasic(request.headers.authorization)
  if (basic) {
    if (client_secret !== undefined) throw invalidRequest('More than one client authentication method was used')
    if (client_id !== undefined && client_id !== basic.clientId) throw invalidRequest('Two different client_id values')
    return basic
  }
  if (client_id === undefined) throw invalidClient('no client_id')
  return client_secret === undefined
    ? { method: 'none', clientId: client_id, secret: '' }
    : { method: 'client_secret_post', clientId: client_id, secret: client_secret }
}

/** Both halves are form-encoded inside the base64 (RFC 6749 2.3.1). An empty password is a public client that uses the header. */
function readBasic(header: string | undefined): Presented | null {
  const match = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '')
  if (!match) return null
  const [id, ...rest] = Buffer.from(match[1] ?? '', 'base64')
    .toString()
    .split(':')
  try {
    const clientId = formDecode(id ?? '')
    const secret = formDecode(rest.join(':'))
    return { method: secret === '' ? 'none' : 'client_secret_basic', clientId, secret }
  } catch {
    throw invalidClient('malformed Basic credentials')
  }
}

function formDecode(value: string): string {
  const plain = decodeURIComponent(value.replaceAll('+', ' '))
  if (plain.includes('\0') || !plain.isWellFormed()) throw new Error('not text')
  return plain
}
