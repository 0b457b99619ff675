// Client authentication at the token endpoint and its neighbours (RFC 6749 2.3; threat-model.md CO4).
// - The registered method is required; two methods in one request and a secret in the URL are refused.
// - Assertions are verified by client-assertion.ts, which is loaded with the first one.
// - Wrong secret and wrong method have one answer. Secrets are compared in constant time.
import { type Client, SECRET_PURPOSE } from '../../data/clients/client'
import { type HttpRequest, textMember } from '../../http/message'
import { invalidClient, invalidRequest, unknownClient } from '../../kernel/errors'
import { lazy } from '../../kernel/lazy'
import type { Parameters } from '../../kernel/parameters'
import { equalsConstantTime, type Vault } from '../../kernel/secret'
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

/** A Basic header may be read in two ways, of which the first is the specification's. */
type Presented = {
  method: 'none' | 'client_secret_post' | 'client_secret_basic'
  clientIds: readonly string[]
  secrets: readonly string[]
}

const assertions = lazy(() => import('./client-assertion'))

export async function authenticateClient(request: HttpRequest, parameters: Parameters, deps: Deps): Promise<Client> {
  for (const name of ['client_secret', 'client_assertion']) {
    if (request.query.has(name)) throw invalidRequest(`${name} must not be in the URL`, MISPLACED)
  }
  if ((parameters.client_assertion ?? parameters.client_assertion_type) !== undefined) {
    return (await assertions()).authenticateByAssertion(request, parameters, deps)
  }
  const presented = readCredentials(request, parameters)
  const client = await findClient(presented.clientIds, deps)
  if (client) deps.trail.context({ client })
  const expected = secretsOf(client, deps.clock.now())
  const comparisons = presented.secrets.flatMap((secret) => {
    const digest = deps.vault.mac(SECRET_PURPOSE, secret)
    return expected.map((each) => equalsConstantTime(digest, each))
  })
  const matches = presented.method !== 'none' && comparisons.includes(true)
  if (!client) throw unknownClient(presented.clientIds[0] ?? '')
  if (!client.authMethods.has(presented.method)) {
    throw invalidClient('wrong_auth_method', `registered for ${client.authMethod}, sent ${presented.method}`)
  }
  if (!client.isPublic && !matches) throw invalidClient('wrong_secret', 'wrong secret')
  return client
}

/** The digests that authenticate a client: that of its secret, and of the one before until it ends. Two in any case, for equal work. */
function secretsOf(client: Client | null, now: Date): Uint8Array[] {
  const earlier = client?.earlierSecret
  const isValid = earlier != null && earlier.expiresAt > now
  return [client?.secretDigest ?? Buffer.alloc(32), isValid ? earlier.digest : Buffer.alloc(32)]
}

async function findClient(ids: readonly string[], { clients }: Deps): Promise<Client | null> {
  for (const id of ids) {
    const client = await clients.find(id)
    if (client) return client
  }
  return null
}

const MISPLACED = { reason: 'credentials_misplaced' } as const

function readCredentials(request: HttpRequest, { client_id, client_secret }: Parameters): Presented {
  const basic = readBasic(request.headers.authorization)
  if (basic) {
    if (client_secret !== undefined)
      throw invalidRequest('More than one client authentication method was used', MISPLACED)
    if (client_id === undefined) return basic
    if (!basic.clientIds.includes(client_id)) throw invalidRequest('Two different client_id values', MISPLACED)
    return { ...basic, clientIds: [client_id] }
  }
  if (client_id === undefined) throw invalidClient('missing_client_id', 'no client_id')
  return client_secret === undefined
    ? { method: 'none', clientIds: [client_id], secrets: [] }
    : { method: 'client_secret_post', clientIds: [client_id], secrets: [client_secret] }
}

/**
 * Both halves are form-encoded inside the base64 (RFC 6749 2.3.1). Many clients send them raw, so `+` and `%` may also stand for
 * themselves. An empty password is a public client that uses the header.
 */
function readBasic(header: string | undefined): Presented | null {
  const match = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '')
  if (!match) return null
  const [id = '', ...rest] = Buffer.from(match[1] ?? '', 'base64')
    .toString()
    .split(':')
  const secret = rest.join(':')
  return {
    method: secret === '' ? 'none' : 'client_secret_basic',
    clientIds: readings(id),
    secrets: readings(secret),
  }
}

function readings(raw: string): string[] {
  const texts = new Set([formDecode(raw) ?? raw, raw])
  return [...texts].filter((text) => !text.includes('\0'))
}

/** Null if the text is not form-encoded. */
function formDecode(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return null
  }
}
