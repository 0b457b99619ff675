// Who can manage a tenant through the Management API: clients that can get a token for themselves and give client grants, and
// with these every other right. People do not count: they need an application, a login and roles.
// The last one keeps its grant: lib/adapters/store/prisma/management/last-managing-client.ts undoes a change that would leave none.
import { type ClientRecord, toClient, usesSecret } from '../../data/clients/client'
import { conflict } from './errors'

const GRANTING = ['create:client_grants', 'update:client_grants']

/** With the scopes of its client grant for the Management API. */
export function canManageTenant(record: ClientRecord, scopes: readonly string[]): boolean {
  const client = toClient(record)
  const hasMethod = usesSecret(client) ? client.secretDigest !== null : !client.isPublic
  return hasMethod && client.grantTypes.has('client_credentials') && GRANTING.some((scope) => scopes.includes(scope))
}

export const lastManagingClient = () =>
  conflict(
    'This is the last client that can manage the tenant through this API. Give another client a grant first, or change it with `npm run tenant`.',
    'last_administrator',
  )
