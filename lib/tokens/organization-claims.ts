// The claims of tokens for an organization. The name is that of now, because an organization may be renamed.

import type { Organization, OrganizationClaims, OrganizationPort } from '../data/organizations/organization'
import { invalidGrant } from '../kernel/errors'

export type OrganizationClaimDeps = {
  organizations: Pick<OrganizationPort, 'find'>
  /** Whether tokens contain the names of organizations. */
  organizationNames: boolean
}

/** Null for no organization. Refused for one that was deleted since the login. */
export async function organizationOf(
  id: string | undefined,
  { organizations }: Pick<OrganizationClaimDeps, 'organizations'>,
): Promise<Organization | null> {
  if (id === undefined) return null
  const organization = await organizations.find(id)
  if (organization) return organization
  throw invalidGrant(`The organization ${id} does not exist anymore.`, { reason: 'organization_unknown' })
}

export const organizationClaims = (
  { id, name }: Organization,
  { organizationNames }: Pick<OrganizationClaimDeps, 'organizationNames'>,
): OrganizationClaims => ({ org_id: id, ...(organizationNames ? { org_name: name } : {}) })
