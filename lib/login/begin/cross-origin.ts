// A password sent from a page that is not a hosted page. It is verified as on the hosted page (same connection, same attempt
// limits, same response to every wrong guess) and exchanged for a login ticket, never for a session or a token.
import { refuseBots } from '../../captcha/demand'
import type { Client } from '../../clients/client'
import { chooseDatabase, chooseRealm, type DatabaseConnection, isDatabase } from '../../connections/connection'
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
import { authenticateByPassword, type Verdict } from '../../strategies/database'
import type { LoginDeps } from '../deps'
import { issueLoginTicket, type LoginTicket } from './login-ticket'

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
  const connection = await connectionOf(connectionName, client, deps)
  const evidence = { method: 'pwd' as const, at: deps.clock.now().toISOString(), connection: connection.name }
  await refuseBots('login', { ip, answer: captcha }, deps)
  const identifier = username.slice(0, MAX_IDENTIFIER).toWellFormed()
  const place = { clientId: client.clientId }
  const user = userOf(await authenticateByPassword(connection, { identifier, password, ip, place }, deps))
  return issueLoginTicket({ clientId: client.clientId, origin, connection, identifier, user, evidence }, deps)
}

export async function clientOf(clientId: string | undefined, deps: LoginDeps): Promise<Client> {
  if (clientId === undefined) throw missingParameter('client_id')
  const client = await deps.clients.find(clientId)
  if (client) {
    deps.trail.context({ client })
    return client
  }
  throw unauthorizedClient('Unknown client')
}

async function connectionOf(named: string | undefined, client: Client, deps: LoginDeps): Promise<DatabaseConnection> {
  const all = await deps.connections.all()
  const connection =
    named === undefined
      ? chooseDatabase(all, client, undefined, deps.settings.tenant.default_directory)
      : chooseRealm(all, client, named)
  if (isDatabase(connection)) return connection
  throw invalidRequest('The connection is not available to this application')
}

function userOf(verdict: Verdict) {
  if (verdict.outcome === 'proven') return verdict.user
  if (verdict.outcome === 'wrong') throw accessDenied('Wrong email or password.')
  if (verdict.outcome === 'breached') throw leakedPassword()
  if (verdict.outcome === 'unverified') throw unverifiedAddress()
  throw verdict.outcome === 'throttled' ? verdict.refusal : tooManyAttempts()
}
