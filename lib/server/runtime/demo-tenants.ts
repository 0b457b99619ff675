// The tenants of demo mode: the first tenant, and Acme Corp, an identity provider at its own host that signs users in to the
// first tenant.
// - Acme is an ordinary tenant, created and served in demo mode only.
// - Its row records that the database was in demo mode. Outside demo mode the accounts with public passwords are then blocked.
// - The first start outside demo mode takes the demo's settings away: its name, its pages, and the console without a second factor.

import { tenantRecordStore } from '../../adapters/store/prisma/management/tenant-record'
import { blockUsers } from '../../adapters/store/sql/block-users'
import { tenantStore } from '../../adapters/store/sql/configuration'
import { FIRST_NAME, type Tenant } from '../../data/tenants/settings'
import { objectIn } from '../../kernel/json'
import type { Shared } from './shared'

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

export async function retireDemo(
  tenantId: string,
  { db, log, clock }: Pick<Shared, 'db' | 'log' | 'clock'>,
): Promise<void> {
  const { count: left, blocked } = await blockUsers(db, { tenantId, ids: DEMO_ACCOUNTS, whereTenant: DEMO_PROVIDER })
  if (left === 0) return
  if (blocked > 0) await forgetDemoSettings(tenantId, { db, clock })
  log.warn(
    { accounts: left },
    'This database was in demo mode. The demo accounts, whose passwords are public, are blocked; the demo applications remain. Start with a new database (LATCHKEY_DATA_DIR) to remove them.',
  )
}

const DEMO_NAME = 'Latchkey Demo'

const isDemoPage = (value: unknown): boolean => typeof value === 'string' && value.endsWith('/demo')

/** What prisma/demo-tenant.yaml sets, if it still is as that file sets it. */
const OF_DEMO: Readonly<Record<string, (value: unknown) => boolean>> = {
  friendly_name: (value) => value === DEMO_NAME,
  support_url: isDemoPage,
  default_redirection_uri: isDemoPage,
  console_second_factor: (value) => value === false,
}

async function forgetDemoSettings(tenantId: string, { db, clock }: Pick<Shared, 'db' | 'clock'>): Promise<void> {
  await tenantRecordStore(db, tenantId).change(({ name, settings, kept }) => {
    const own = Object.entries(objectIn(settings.tenant)).filter(([member, value]) => !OF_DEMO[member]?.(value))
    return {
      name: name === DEMO_NAME ? FIRST_NAME : name,
      settings: { ...settings, tenant: Object.fromEntries(own) },
      kept,
    }
  }, clock.now())
}
