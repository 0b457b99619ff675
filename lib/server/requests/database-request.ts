// Shared by /dbconnections/*: body members are picked by name and all others ignored (threat-model.md DB2). The connection must
// be a database connection that the client may use.

import { chooseDatabase, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import type { HttpRequest } from '../../http/message'
import type { RequestContext } from '../../identity/accounts/account-link'
import { eventRequest } from '../../identity/tenant-code/event-request'
import { invalidRequest, missingParameter } from '../../kernel/errors'
import { localeOf } from '../../pages/respond'
import type { Runtime } from '../runtime/runtime'

export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw missingParameter(name)
  return value
}

/** Without a client, any database connection with this name. */
export async function databaseNamed(
  name: string,
  clientId: string | undefined,
  { clients, connections, trail }: Pick<Runtime, 'clients' | 'connections' | 'trail'>,
): Promise<DatabaseConnection> {
  const client = clientId === undefined ? null : await clients.find(clientId)
  if (clientId !== undefined && !client)
    throw invalidRequest('Unknown client_id', { reason: 'unknown_client', detail: `unknown client: ${clientId}` })
  if (client) trail.context({ client })
  const all = await connections.all()
  const connection =
    client === null ? all.find((candidate) => candidate.name === name) : chooseDatabase(all, client, name, undefined)
  if (!isDatabase(connection))
    throw invalidRequest('Connection does not exist or is not a database connection', {
      reason: 'connection_unknown',
    })
  return connection
}

export const contextOf = (
  request: HttpRequest,
  clientId: string | undefined,
  { settings, baseUrl }: Pick<Runtime, 'settings' | 'baseUrl'>,
): RequestContext => ({
  clientId: clientId ?? null,
  ip: request.ip,
  locale: localeOf(request, settings, request.headers['x-request-language']),
  request: () => eventRequest({ ...request, baseUrl }, {}),
})
