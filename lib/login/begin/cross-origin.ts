// A password sent from a page that is not a hosted page. It is verified as on the hosted page (same databases, same attempt
// limits, same response to every wrong guess) and exchanged for a login ticket, never for a session or a token. A page that names no
// database where there are too many to try gets the first, as the vendor's contract says.

import type { Client } from '../../data/clients/client'
import { chooseRealm, type DatabaseConnection, isDatabase, usableDatabases } from '../../data/connections/connection'
import { isCustom } from '../../data/connections/custom-database'
import { canonical, type User } from '../../data/users/user'
import { refuseBots } from '../../identity/captcha/demand'
import { authenticateByPassword, type PasswordVerdict } from '../../identity/strategies/database'
import {
  accessDenied,
  invalidRequest,
  leakedPassword,
  missingParameter,
  tooManyAttempts,
  unauthorizedClient,
  unverifiedAddress,
} from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { LoginDeps } from '../deps'
import { MAX_TRIED } from '../flow/database'
import { issueCrossOriginTicket, type LoginTicket } from './login-ticket'

/** No identifier is longer, so a longer one cannot belong to an account. */
const MAX_IDENTIFIER = 320

export async function ticketForPassword(
  { client_id: clientId, username, password, captcha }: Parameters,
  connectionName: string | undefined,
  { origin, ip }: { origin: string; ip: string },
  deps: LoginDeps,
): Promise<LoginTicket> {
  if (username === undefined) throw missingParameter('username')
  if (password === undefined) throw missingParameter('password')
  const client = await clientOf(clientId, deps)
  const databases = await databasesNamed(connectionName, client, deps)
  const at = deps.clock.now().toISOString()
  await refuseBots('login', { ip, answer: captcha }, deps)
  const identifier = username.slice(0, MAX_IDENTIFIER).toWellFormed()
  const place = { clientId: client.clientId }
  const { user, connection } = provenBy(
    await authenticateByPassword(databases, { identifier, password, ip, place }, deps),
  )
  const evidence = { method: 'pwd' as const, at, connection: connection.name }
  const name = await ownName(user, connection, identifier, deps)
  const proven = { clientId: client.clientId, origin, connection, identifier: name, user, evidence }
  return issueCrossOriginTicket(proven, deps)
}

/** A script may take a name for the person that does not find the account. */
async function ownName(
  user: User,
  connection: DatabaseConnection,
  typed: string,
  { users }: Pick<LoginDeps, 'users'>,
): Promise<string> {
  if (!isCustom(connection)) return typed
  const known = await users.findAccount(connection.id, canonical(typed))
  return known?.user.id === user.id ? typed : (user.email ?? user.username ?? typed)
}

export async function clientOf(clientId: string | undefined, deps: LoginDeps): Promise<Client> {
  if (clientId === undefined) throw missingParameter('client_id')
  const client = await deps.clients.find(clientId)
  if (client) {
    deps.trail.context({ client })
    return client
  }
  throw unauthorizedClient('Unknown client', { reason: 'unknown_client', detail: `unknown client: ${clientId}` })
}

async function databasesNamed(
  named: string | undefined,
  client: Client,
  deps: LoginDeps,
): Promise<readonly DatabaseConnection[]> {
  const all = await deps.connections.all()
  const databases =
    named === undefined
      ? usableDatabases(all, client, undefined, deps.settings.tenant.default_directory)
      : [chooseRealm(all, client, named)].filter(isDatabase)
  if (databases.length === 0)
    throw invalidRequest('The connection is not available to this application', { reason: 'connection_unknown' })
  return databases.length > MAX_TRIED ? databases.slice(0, 1) : databases
}

function provenBy(verdict: PasswordVerdict) {
  if (verdict.outcome === 'proven') return verdict
  if (verdict.outcome === 'wrong') throw accessDenied('Wrong email or password.', { reason: verdict.reason })
  if (verdict.outcome === 'breached') throw leakedPassword()
  if (verdict.outcome === 'unverified') throw unverifiedAddress()
  throw verdict.outcome === 'blocked' ? tooManyAttempts() : verdict.refusal
}
