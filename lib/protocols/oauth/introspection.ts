// Token introspection (RFC 7662) for an authenticated client.
// - A client may introspect its own tokens, and access tokens for the API that it represents (`resource_server_identifier`). Every
//   other token, expired and revoked ones included, is reported as inactive without details.
// - A person's token is active while its family is: revocation takes effect at once (threat-model.md D5, CO8).
import type { Client, ClientPort } from '../../data/clients/client'
import type { OrganizationClaims } from '../../data/organizations/organization'
import { type Clock, epochSeconds } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Vault } from '../../kernel/secret'
import { audiencesOf, boundKey, type InspectedToken, inspectAccessToken } from '../../tokens/access-token'
import { type FamilyPort, isLive, type TokenFamily } from '../../tokens/family'
import type { IssueDeps } from '../../tokens/issue'
import { organizationClaims } from '../../tokens/organization-claims'
import { readRefreshToken } from '../../tokens/refresh-token'

type Deps = {
  issuer: string
  clients: ClientPort
  families: FamilyPort
  clock: Clock
  vault: Vault
  issuing(): IssueDeps
}

export type Introspection = { active: boolean; [member: string]: unknown }

export const introspect = async (token: string, asker: Client, deps: Deps): Promise<Introspection> =>
  (await worthOfRefreshToken(token, asker, deps)) ?? (await worthOfAccessToken(token, asker, deps)) ?? { active: false }

async function worthOfRefreshToken(token: string, asker: Client, deps: Deps): Promise<Introspection | null> {
  const ref = readRefreshToken(token, deps.vault)
  const family = ref && (await livingFamily(ref.familyId, deps))
  if (!family || family.clientId !== asker.clientId || family.generation !== ref.generation) return null
  const organization = await organizationClaimsOf(family, deps)
  if (!organization) return null
  const exp = Math.min(...[family.expiresAt, family.idleExpiresAt ?? family.expiresAt].map(epochSeconds))
  if (exp <= epochSeconds(deps.clock.now())) return null
  return {
    ...organization,
    active: true,
    client_id: family.clientId,
    sub: family.userId,
    iss: deps.issuer,
    scope: family.scopes.join(' '),
    exp,
  }
}

async function worthOfAccessToken(token: string, asker: Client, deps: Deps): Promise<Introspection | null> {
  const inspected = await readable(token, deps)
  if (!inspected || !mayKnow(inspected, asker) || !(await deps.clients.find(inspected.clientId))) return null
  const { familyId, clientId, scopes, claims } = inspected
  // A token of the client itself is active while the client exists.
  const family = familyId === null ? null : await livingFamily(familyId, deps)
  if (familyId !== null && !family) return null
  const organization = await organizationClaimsOf(family, deps)
  if (!organization) return null
  const scope = scopes.length > 0 ? { scope: scopes.join(' ') } : {}
  return {
    ...organization,
    ...claims,
    active: true,
    token_type: boundKey(claims) === undefined ? 'Bearer' : 'DPoP',
    client_id: clientId,
    ...scope,
  }
}

const readable = (token: string, deps: Deps): Promise<InspectedToken | null> =>
  inspectAccessToken(token, deps.issuing()).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })

function mayKnow({ clientId, claims }: InspectedToken, asker: Client): boolean {
  const api = asker.settings.resource_server_identifier
  return clientId === asker.clientId || (api !== undefined && audiencesOf(claims).includes(api))
}

/** Null for a token of an organization that was deleted: it is not active. */
async function organizationClaimsOf(
  family: TokenFamily | null,
  deps: Deps,
): Promise<Partial<OrganizationClaims> | null> {
  const id = family?.authentication?.organization
  if (id === undefined) return {}
  const issuing = deps.issuing()
  const organization = await issuing.organizations.find(id)
  return organization && organizationClaims(organization, issuing)
}

async function livingFamily(familyId: string, { families, clock }: Deps): Promise<TokenFamily | null> {
  const now = clock.now()
  const found = await families.find(familyId)
  return found?.user && !found.user.blocked && isLive(found.family, now) ? found.family : null
}
