// grant_type=password (RFC 6749 4.3) and the vendor's password-realm: the user types the password into the application.
// RFC 9700 retires it; it is kept for compatibility. It is off unless a client's `grant_types` lists it, works for first-party
// clients only, and has the attempt limits and requirements of the login page (threat-model.md D1).
// - `password` checks the tenant's default directory, `password-realm` the connection in `realm`.
// - `password` with a passwordless `connection` takes the one-time code as the password (passwordless-otp.ts).
// - While a captcha is demanded of logins the grant is refused: it cannot bring a solution, so the application has to open the
//   login page (threat-model.md BD3).
// - All wrong credentials have one answer, after the same work.

import { findAudience } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { chooseDatabase, chooseRealm, type DatabaseConnection, isDatabase } from '../../../data/connections/connection'
import type { User } from '../../../data/users/user'
import { optional, resource, scope, text } from '../../../http/description'
import { PERSON, SERVER } from '../../../http/examples'
import { refuseBots } from '../../../identity/captcha/demand'
import { authenticateByPassword, type PasswordCredentials } from '../../../identity/strategies/database'
import {
  DomainError,
  invalidGrant,
  invalidRequest,
  leakedPassword,
  missingParameter,
  tooManyAttempts,
  unverifiedAddress,
} from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { authenticateBrowserless } from '../../../login/browserless/browserless'
import { scopesWithoutPage } from '../scope'
import type { Grant, GrantDeps } from './grant'
import { passwordlessNamed, signInByCode } from './passwordless-otp'

const passwordParameters = () => ({
  username: text('The address, the name or the number of the person'),
  password: text('The password'),
  audience: optional('The API that the access token is for'),
  resource: resource(),
  scope: scope(),
})

type FindConnection = (parameters: Parameters, client: Client, deps: GrantDeps) => Promise<DatabaseConnection>

const byPassword = (findConnection: FindConnection): Pick<Grant, 'only' | 'authorize'> => ({
  only: 'first-party',
  async authorize(parameters, client, deps, from) {
    if (!parameters.username) throw missingParameter('username')
    if (!parameters.password) throw missingParameter('password')
    const place = { clientId: client.clientId }
    const credentials = { identifier: parameters.username, password: parameters.password, ip: from.ip, place }
    const api = await findAudience(parameters, client, deps)
    const scopes = scopesWithoutPage(parameters.scope, client, api, deps.trail)
    const connection = await findConnection(parameters, client, deps)
    await refuseBots('login', from, deps)
    const evidence = [{ method: 'pwd' as const, at: deps.clock.now().toISOString(), connection: connection.name }]
    const user = await provenUser(connection, credentials, deps)
    const protocol = 'oauth2-password'
    return authenticateBrowserless({ user, evidence, client, api, scopes, gty: 'password', protocol, ...from }, deps)
  },
})

async function provenUser(
  connection: DatabaseConnection,
  credentials: PasswordCredentials,
  deps: GrantDeps,
): Promise<User> {
  const verdict = await authenticateByPassword([connection], credentials, deps)
  if (verdict.outcome === 'blocked') throw tooManyAttempts()
  if (verdict.outcome === 'throttled' || verdict.outcome === 'script') throw verdict.refusal
  if (verdict.outcome === 'breached') throw leakedPassword()
  if (verdict.outcome === 'unverified') throw unverifiedAddress()
  if (verdict.outcome === 'wrong') throw invalidGrant('Wrong email or password.', { reason: verdict.reason })
  return verdict.user
}

const byDirectory = byPassword(async (_parameters, client, deps) => {
  const directory = deps.settings.tenant.default_directory
  const found = chooseDatabase(await deps.connections.all(), client, undefined, directory)
  if (found) return found
  throw new DomainError('server_error', 'Authorization server not configured with default connection.', {
    reason: 'default_directory_missing',
  })
})

export const password: Grant = {
  type: 'password',
  events: { done: 'password_exchanged', refused: 'password_exchange_refused' },
  describe: () => ({
    parameters: {
      ...passwordParameters(),
      connection: optional('A passwordless connection, whose one-time code is then the password'),
    },
    example: { ...SERVER, ...PERSON, scope: 'openid' },
  }),
  ...byDirectory,
  async authorize(parameters, client, deps, from) {
    const { connection: name, password: code } = parameters
    const passwordless = name ? await passwordlessNamed(name, client, deps) : null
    if (!passwordless) return byDirectory.authorize(parameters, client, deps, from)
    if (!code) throw missingParameter('password')
    return signInByCode(passwordless, parameters, code, client, deps, from)
  },
}

export const passwordRealm: Grant = {
  type: 'password-realm',
  events: { done: 'password_exchanged', refused: 'password_exchange_refused' },
  describe: () => ({
    parameters: { ...passwordParameters(), realm: text('The database connection') },
    example: { ...SERVER, ...PERSON, realm: 'Users', scope: 'openid' },
  }),
  vendor: true,
  ...byPassword(async ({ realm }, client, deps) => {
    if (!realm) throw missingParameter('realm')
    const found = chooseRealm(await deps.connections.all(), client, realm)
    if (isDatabase(found)) return found
    throw invalidRequest('Unknown or invalid realm.', { reason: 'connection_unknown' })
  }),
}
