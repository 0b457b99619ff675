// A one-time code typed into a client's own page (auth0-js `passwordlessLogin`). It is verified as on the hosted page and
// exchanged for a login ticket, like a password (cross-origin.ts).

import { chooseRealm, isPasswordless } from '../../data/connections/connection'
import {
  authenticateByCode,
  methodOf,
  REASON_OF_CODE,
  readAddress,
  wrongCode,
} from '../../identity/strategies/passwordless'
import { accessDenied, invalidRequest, missingParameter, tooManyCodes } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { LoginDeps } from '../deps'
import { clientOf } from './cross-origin'
import { issueCrossOriginTicket, type LoginTicket } from './login-ticket'

export async function ticketForCode(
  { client_id, username, otp, realm }: Parameters,
  { origin, ip }: { origin: string; ip: string },
  deps: LoginDeps,
): Promise<LoginTicket> {
  if (username === undefined) throw missingParameter('username')
  if (otp === undefined) throw missingParameter('otp')
  if (realm === undefined) throw missingParameter('realm')
  const client = await clientOf(client_id, deps)
  const connection = chooseRealm(await deps.connections.all(), client, realm)
  if (!isPasswordless(connection))
    throw invalidRequest('The connection is not available to this application', { reason: 'connection_unknown' })
  const identifier = await readAddress(connection, username)
  if (identifier === null) throw accessDenied(wrongCode(connection), { reason: 'one_time_code_wrong' })
  const attempt = { address: identifier, code: otp, ip, clientId: client.clientId }
  const verdict = await authenticateByCode(connection, attempt, deps)
  if (verdict.outcome === 'too_many') throw tooManyCodes()
  if (verdict.outcome !== 'proven')
    throw accessDenied(wrongCode(connection), { reason: REASON_OF_CODE[verdict.outcome] })
  const { user, at } = verdict
  const evidence = { method: methodOf(connection), at, connection: connection.name }
  return issueCrossOriginTicket({ clientId: client.clientId, origin, connection, identifier, user, evidence }, deps)
}
