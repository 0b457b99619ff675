// The variables of claim rules: the user, the client and the request of a token. Pure.
// - A field without a value is absent: `has(user.email)` tests for it.
// - Integral numbers become integers. Metadata is converted to maps, so that no name in it has a meaning in JavaScript, and is
//   refused if it is large (threat-model.md RU2).
import type { Client } from '../../../data/clients/client'
import type { Organization } from '../../../data/organizations/organization'
import { knownOf } from '../../../data/users/profile'
import type { User } from '../../../data/users/user'

/** The facts of the request, apart from user and client; `audience` is null if none was requested. */
export type TokenRequest = {
  ip: string
  /** The vendor's name: `oidc-basic-profile`, `oauth2-refresh-token`, `samlp`, … */
  protocol: string
  audience: string | null
  scopes: readonly string[]
  /** How the person authenticated. */
  methods: readonly string[]
}

export type ClaimRuleSubject = {
  user: User | null
  /** Null if no rule uses roles. */
  roles: readonly string[] | null
  client: Client
  /** The organization that the token is for. */
  organization: Organization | null
  request: TokenRequest
}

export type ClaimRuleFacts = Readonly<Record<'client' | 'request', object> & { user?: object; organization?: object }>

export const factsOf = ({ user, roles, client, organization, request }: ClaimRuleSubject): ClaimRuleFacts => ({
  ...(user === null ? {} : { user: userFacts(user, roles) }),
  client: {
    client_id: client.clientId,
    name: client.name,
    app_type: client.settings.app_type,
    is_first_party: client.settings.is_first_party,
    metadata: mapOf(client.settings.client_metadata),
  },
  ...(organization === null ? {} : { organization: organizationFacts(organization) }),
  request: present({ ...request, scopes: [...request.scopes], methods: [...new Set(request.methods)] }),
})

const organizationFacts = ({ id, name, settings }: Organization): object =>
  present({ id, name, display_name: settings.display_name, metadata: mapOf(settings.metadata ?? {}) })

const userFacts = (user: User, roles: readonly string[] | null): object =>
  present({
    user_id: user.id,
    ...knownOf(user),
    updated_at: user.updatedAt,
    profile: mapOf(user.profile),
    user_metadata: mapOf(user.userMetadata),
    app_metadata: mapOf(user.appMetadata),
    roles: roles === null ? null : roles.slice(0, MAX_VALUES),
  })

const present = (fields: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** Values in one object of metadata, at all depths. */
const MAX_VALUES = 1000

/** A JSON object as the language's map; null if it is too large: an expression that uses it then fails. */
function mapOf(json: Readonly<Record<string, unknown>>): Map<string, unknown> | null {
  const left = { values: MAX_VALUES }
  const map = convert(json, left)
  return left.values < 0 ? null : (map as Map<string, unknown>)
}

function convert(value: unknown, left: { values: number }): unknown {
  left.values -= 1
  if (left.values < 0) return null
  if (Array.isArray(value)) return value.map((item) => convert(item, left))
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  return new Map(Object.entries(value).map(([name, field]) => [name, convert(field, left)]))
}
