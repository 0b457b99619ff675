// Who is calling the token endpoint and its neighbours (RFC 6749 2.3): exactly the method that is registered,
// exactly one method per request, never a secret in the URL (threat-model.md CO4).
// Unknown client, wrong secret and wrong method have one answer; secrets are compared in constant time.
import type { Trail } from '../audit/trail'
import type { Client, ClientPort } from '../clients/client'
import type { HttpRequest, Parameters } from '../http/message'
import { invalidClient, invalidRequest } from '../kernel/errors'
import { equalsConstantTime, type Vault } from '../kernel/secret'

type Deps = { clients: Pick<ClientPort, 'find'>; vault: Vault; trail: Trail }

type Presented = { method: 'none' | 'client_secret_post' | 'client_secret_basic'; clientId: string; secret: string }

export const SECRET_PURPOSE = 'client-secret'

export async function authenticateClient(request: HttpRequest, parameters: Parameters, deps: Deps): Promise<Client> {
  if (request.query.has('client_secret')) throw invalidRequest('client_secret must not be in the URL')
  const presented = readCredentials(request, parameters)
  const client = await deps.clients.find(presented.clientId)
  if (client) deps.trail.about({ client })
  const expected = client?.secretDigest ?? Buffer.alloc(32)
  const matches = equalsConstantTime(deps.vault.mac(SECRET_PURPOSE, presented.secret), expected)
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
