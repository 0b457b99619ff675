// What each area of a tenant's runtime opens with.
import type { Keyring } from '../../crypto/keys/keyring'
import type { TenantAddress } from '../../data/tenants/custom-domain'
import type { Tenant } from '../../data/tenants/settings'
import type { ClaimRules } from '../../identity/tenant-code/claims/compile'
import type { Runtime } from './runtime'
import type { Shared } from './shared'
import type { TenantStores } from './stores'
import type { OpenedWording } from './wording'

/** The parts of a tenant's records that must be opened before a runtime can be created. */
export type OpenedTenant = { keyring: Keyring; claimRules: ClaimRules | null } & OpenedWording

/** The addresses of a tenant, and the runtime at each. The first one is its base URL. */
export type Sites = { all: readonly [TenantAddress, ...TenantAddress[]]; at(baseUrl: string): Runtime }

export type Opening = OpenedTenant & {
  tenant: Tenant
  site: TenantAddress
  sites: Sites
  stores: TenantStores
  shared: Shared
}
