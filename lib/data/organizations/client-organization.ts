// The organization that a client acts for by itself (client credentials): the one that the request names, else, where the client
// grant requires one, the client's default.

import { accessDenied } from '../../kernel/errors'
import { type Api, type ClientGrant, type ClientGrantPort, isBuiltIn } from '../apis/api'
import type { Client } from '../clients/client'
import { namesOrganization } from '../clients/url-patterns'
import { findNamed, namedIn, type Organization } from './organization'

type Deps = Parameters<typeof namedIn>[2] & { clientGrants: Pick<ClientGrantPort, 'isOf'> }

/** Null for a token without an organization. */
export async function actsFor(
  requested: string | undefined,
  client: Client,
  api: Api,
  grant: ClientGrant,
  deps: Deps,
): Promise<Organization | null> {
  const usage = usageOf(grant, api)
  const value = requested || (usage === 'require' ? defaultOf(client) : undefined)
  const organization = await namedIn(value, usage, deps)
  if (!organization) return null
  if (grant.allowAnyOrganization || (await deps.clientGrants.isOf(grant.id, organization.id))) return organization
  throw accessDenied(`Client is not authorized to access the ${organization.id} organization`, {
    reason: 'organization_not_granted',
  })
}

/** A token of a built-in API is worth the same in every organization, so none is for one. */
const usageOf = ({ organizationUsage }: ClientGrant, api: Api) => (isBuiltIn(api) ? 'deny' : organizationUsage)

const defaultOf = ({ settings: { default_organization } }: Client): string | undefined =>
  default_organization?.flows.includes('client_credentials') ? default_organization.organization_id : undefined

export type OrganizationNameDeps = Parameters<typeof findNamed>[2]

/** The name for `{organization_name}` in a callback of this request; null where none is needed. Organizations are cached. */
export async function organizationNameIn(
  value: string | undefined,
  client: Client | null,
  deps: OrganizationNameDeps,
): Promise<string | null> {
  if (!value || !client?.settings.callbacks.some(namesOrganization)) return null
  const found = await findNamed(value, client.settings, deps)
  return 'refused' in found ? null : found.organization.name
}
