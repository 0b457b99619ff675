// The vendor's passwordless/otp grant, and the form of the password grant that the contract documents beside it: a one-time code
// signs in the owner of the address it was sent to (threat-model.md PW1). Both share one count of tries and one set of
// requirements. A code belongs to the client that requested it.

import { findAudience } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { chooseRealm, isPasswordless, type PasswordlessConnection } from '../../../data/connections/connection'
import type { User } from '../../../data/users/user'
import { optional, resource, scope, text } from '../../../http/description'
import { APP, PERSON } from '../../../http/examples'
import {
  authenticateByCode,
  methodOf,
  type PasswordlessDeps,
  REASON_OF_CODE,
  readAddress,
  wrongCode,
} from '../../../identity/strategies/passwordless'
import { type DomainError, invalidGrant, invalidRequest, missingParameter, tooManyCodes } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { authenticateBrowserless, type From } from '../../../login/browserless/browserless'
import type { Authorization } from '../../../tokens/issue'
import { scopesWithoutPage } from '../scope'
import type { Grant, GrantDeps } from './grant'

export const passwordlessOtp: Grant = {
  type: 'passwordless/otp',
  // The vendor has no code for the success; it logs a login.
  events: { done: 'login', refused: 'passwordless_exchange_refused' },
  describe: () => ({
    parameters: {
      realm: text('The passwordless connection'),
      username: text('The address or number that the code was sent to'),
      otp: text('The code'),
      audience: optional('The API that the access token is for'),
      resource: resource(),
      scope: scope(),
    },
    example: { ...APP, realm: 'email', username: PERSON.username, otp: '<one-time code>', scope: 'openid' },
  }),
  vendor: true,
  async authorize(parameters, client, deps, from) {
    if (!parameters.realm) throw missingParameter('realm')
    if (!parameters.otp) throw missingParameter('otp')
    const connection = await passwordlessNamed(parameters.realm, client, deps)
    if (!connection) throw invalidRequest('Unknown or invalid realm.', { reason: 'connection_unknown' })
    return signInByCode(connection, parameters, parameters.otp, client, deps, from)
  },
}

export async function passwordlessNamed(
  name: string,
  client: Client,
  deps: GrantDeps,
): Promise<PasswordlessConnection | null> {
  const found = chooseRealm(await deps.connections.all(), client, name)
  return isPasswordless(found) ? found : null
}

export async function signInByCode(
  connection: PasswordlessConnection,
  parameters: Parameters,
  code: string,
  client: Client,
  deps: GrantDeps,
  from: From,
): Promise<Authorization> {
  const { username, scope } = parameters
  if (!username) throw missingParameter('username')
  const api = await findAudience(parameters, client, deps)
  const scopes = scopesWithoutPage(scope, client, api, deps.trail)
  const sent = { typed: username, code, clientId: client.clientId, ip: from.ip }
  const { user, at } = await proveCode(connection, sent, deps)
  const proof = { method: methodOf(connection), at, connection: connection.name }
  const protocol = 'oauth2-resource-owner'
  return authenticateBrowserless({ user, evidence: [proof], client, api, scopes, gty: null, protocol, ...from }, deps)
}

type Sent = { typed: string; code: string; clientId: string; ip: string }

/** Throws the vendor's error for a refused code; SDKs compare these sentences. */
export async function proveCode(
  connection: PasswordlessConnection,
  { typed, ...attempt }: Sent,
  deps: PasswordlessDeps,
): Promise<{ user: User; at: string }> {
  const address = await readAddress(connection, typed)
  if (address === null) throw invalidGrant(wrongCode(connection), { reason: 'one_time_code_wrong' })
  const verdict = await authenticateByCode(connection, { ...attempt, address }, deps)
  if (verdict.outcome === 'proven') return verdict
  if (verdict.outcome === 'too_many') throw tooManyCodes()
  throw refusalOf(verdict.outcome, connection)
}

const refusalOf = (outcome: 'wrong' | 'expired' | 'exhausted', connection: PasswordlessConnection): DomainError =>
  invalidGrant(outcome === 'wrong' ? wrongCode(connection) : OVER[outcome], { reason: REASON_OF_CODE[outcome] })

const OVER = {
  expired: 'The verification code has expired. Please try to login again.',
  exhausted: "You've reached the maximum number of attempts. Please try to login again.",
}
