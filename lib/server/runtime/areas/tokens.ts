// What the issuing of tokens and of assertions needs.
import type { AssertionClaimsReader } from '../../../login/transaction'
import { customClaims } from '../../../tokens/custom-claims'
import type { IssueDeps } from '../../../tokens/issue'
import { organizationClaims } from '../../../tokens/organization-claims'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

type Site = Pick<Runtime, 'baseUrl' | 'canonicalUrl' | 'customUrls' | 'issuer' | 'portray'>

export function openTokens(
  { baseUrl, canonicalUrl, customUrls, issuer, portray }: Site,
  { tenant: { settings }, keyring, claimRules, stores, shared: { clock, random, vault } }: Opening,
) {
  const { compat } = settings.tenant
  const otherIssuers = [canonicalUrl, ...customUrls].map((address) => `${address}/`).filter((each) => each !== issuer)
  const issuing = (): IssueDeps => ({
    issuer,
    otherIssuers,
    baseUrl,
    keyring,
    vault,
    random,
    now: clock.now(),
    updatedAt: compat.updated_at === 'epoch' ? 'epoch' : 'iso8601',
    scopeClaims: compat.id_token_claims,
    portray,
    permissions: stores.permissions,
    roleNames: stores.roleNames,
    claimRules,
    organizations: stores.organizations,
    organizationNames: settings.tenant.allow_organization_name_in_authentication_api,
  })
  const assertionClaims: AssertionClaimsReader = async (
    { user, client, organization = null, custom, ip, scopes, evidence },
    protocol,
  ) => {
    const request = { ip, protocol, audience: null, scopes, methods: evidence.map(({ method }) => method) }
    const deps = issuing()
    const { assertion } = await customClaims({ user: portray(user), client, organization, request }, custom, deps)
    return organization === null ? assertion : { ...assertion, ...organizationClaims(organization, deps) }
  }
  return { claimRules, issuing, assertionClaims }
}
