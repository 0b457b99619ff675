// The tenants of demo mode: the first tenant, and Acme Corp, an identity provider at its own host that signs users in to the
// first tenant.
// - Acme is an ordinary tenant, created and served in demo mode only.
// - Its row records that the database was in demo mode. Outside demo mode the accounts with public passwords are then blocked.

import { blockUsers } from '../store/prisma/block-users'
import { tenantStore } from '../store/prisma/configuration'
import type { Tenant } from '../tenants/settings'
import type { Shared } from './runtime'

export const DEMO_PROVIDER = 'demo-acme'

/** Ada, who may enter the console. Outside demo mode she is blocked like the others. */
export const DEMO_OWNER = 'auth0|0123456789abcdef0123ada0'

/** The subjects of prisma/demo-tenant.yaml. */
export const DEMO_ACCOUNTS = [
  DEMO_OWNER,
  'auth0|0123456789abcdef0123ace0',
  'auth0|0123456789abcdef0123ed10',
  'auth0|0123456789abcdef0123d0f0',
  'auth0|0123456789abcdef0123ad1a',
]

/** Browsers resolve every name below `localhost` to this machine (RFC 6761 6.3). */
export function demoProviderUrl(appUrl: string): string {
  const url = new URL(appUrl)
  url.hostname = 'acme.localhost'
  return url.origin
}

export const placeDemoProvider = ({ db, baseUrl }: Pick<Shared, 'db' | 'baseUrl'>): Promise<void> =>
  tenantStore(db).place(DEMO_PROVIDER, 'Acme Corp', demoProviderUrl(baseUrl))

/** Outside demo mode the server does not serve the demo provider's tenant. */
export const isServed =
  ({ demo }: Pick<Shared, 'demo'>) =>
  ({ id }: Pick<Tenant, 'id'>): boolean =>
    demo || id !== DEMO_PROVIDER

export async function retireDemo(tenantId: string, { db, log }: Pick<Shared, 'db' | 'log'>): Promise<void> {
  const left = await blockUsers(db, { tenantId, ids: DEMO_ACCOUNTS, whereTenant: DEMO_PROVIDER })
  if (left === 0) return
  log.warn(
    { accounts: left },
    'This database was in demo mode. The demo accounts, whose passwords are public, are blocked; the demo applications remain. Start with a new database to remove them.',
  )
}
