// The grant of native passkeys: the answer of an authenticator, to a challenge of /passkey/challenge or /passkey/register. The
// second creates the account (threat-model.md PK7).
// - The page that asked is one of this server, or of a web origin of the client of the `auth_session`.
// - A second factor may be required after it, as after a password.

import * as z from 'zod'
import { findAudience } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { type DatabaseConnection, isDatabase } from '../../../data/connections/connection'
import { enabledIn, namedIn, type Organization } from '../../../data/organizations/organization'
import type { Evidence } from '../../../data/sessions/session'
import type { User } from '../../../data/users/user'
import { optional, resource, scope, text } from '../../../http/description'
import { APP } from '../../../http/examples'
import { reasonOfSignUp, type SignUpResult, signUp } from '../../../identity/accounts/sign-up'
import { takeCeremony } from '../../../identity/passkeys/ceremony'
import { isAllowedModel, needsVerification, passkeyOf, readCreation } from '../../../identity/passkeys/passkeys'
import { relyingPartyIdOf } from '../../../identity/passkeys/relying-party'
import { authenticateByPasskey, evidenceOf, type PasskeyAnswer } from '../../../identity/strategies/passkey'
import { reasonOfDenial } from '../../../identity/tenant-code/trigger'
import {
  accessDenied,
  DomainError,
  invalidGrant,
  invalidRequest,
  malformedParameter,
  missingParameter,
  unverifiedAddress,
} from '../../../kernel/errors'
import { authenticateBrowserless, type From } from '../../../login/browserless/browserless'
import { databaseIn } from '../../../login/flow/organization'
import { API_CEREMONY, type ApiCeremony, pagesOf } from '../passkey'
import { scopesWithoutPage } from '../scope'
import type { Grant, GrantDeps } from './grant'

export const WEBAUTHN = 'urn:okta:params:oauth:grant-type:webauthn'

export const webauthn: Grant = {
  type: WEBAUTHN,
  events: { done: 'login', refused: 'login_refused' },
  only: 'first-party',
  describe: () => ({
    parameters: {
      auth_session: text('The session of /passkey/challenge or /passkey/register'),
      authn_response: z
        .union([z.string(), z.looseObject({})])
        .meta({ description: 'The answer of the browser or the device, as an object or as its JSON' }),
      realm: optional('The database connection of the session'),
      organization: optional('The organization of the session, which a session of a login may leave open'),
      audience: optional('The API that the access token is for'),
      resource: resource(),
      scope: scope(),
    },
    example: { ...APP, auth_session: '<auth_session>', authn_response: '<authn_response>', scope: 'openid' },
  }),
  async authorize(parameters, client, deps, from) {
    if (!parameters.auth_session) throw missingParameter('auth_session')
    if (!parameters.authn_response) throw missingParameter('authn_response')
    const api = await findAudience(parameters, client, deps)
    const scopes = scopesWithoutPage(parameters.scope, client, api, deps.trail)
    const taken = await takeCeremony(API_CEREMONY, parameters.auth_session, deps)
    if (taken?.payload.clientId !== client.clientId)
      throw invalidGrant('The auth_session is invalid or has expired.', { reason: 'auth_session_invalid' })
    const organization = await organizationOf(taken.payload, parameters.organization, client, deps)
    const connection = await connectionOf(taken.payload, parameters.realm, organization, deps)
    const answer = {
      response: objectIn(parameters.authn_response),
      challenge: taken.challenge,
      origins: pagesOf(client, deps),
    }
    const proven =
      taken.payload.does === 'sign-in'
        ? await signIn(connection, answer, deps)
        : await createAccount(connection, taken.payload, answer, { client, organization, from }, deps)
    const protocol = 'oauth2-webauthn'
    const login = { ...proven, client, api, scopes, gty: null, protocol, ...from }
    return authenticateBrowserless(organization ? { ...login, organization } : login, deps)
  },
}

async function organizationOf(
  { organizationId: started }: ApiCeremony,
  named: string | undefined,
  client: Client,
  deps: GrantDeps,
): Promise<Organization | null> {
  const value = named || (started ?? undefined)
  const organization = await namedIn(value, client.settings.organization_usage, deps)
  if (started && organization?.id !== started)
    throw malformedParameter('organization', 'organization is not that of the auth_session')
  if (organization) deps.trail.context({ organization })
  return organization
}

async function connectionOf(
  { connectionId }: ApiCeremony,
  realm: string | undefined,
  organization: Organization | null,
  { connections }: GrantDeps,
): Promise<DatabaseConnection> {
  const found = (await connections.all()).find(({ id }) => id === connectionId)
  if (!isDatabase(found))
    throw invalidGrant('The auth_session is invalid or has expired.', { reason: 'auth_session_invalid' })
  const names = [found.name, ...(found.settings.realms ?? [])]
  if (realm !== undefined && !names.includes(realm))
    throw malformedParameter('realm', 'realm is not that of the auth_session')
  if (enabledIn(organization, [found]).length === 0)
    throw accessDenied('The organization does not enable the connection of the auth_session', {
      reason: 'connection_not_enabled',
    })
  return databaseIn(organization, null, found) ?? found
}

function objectIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw malformedParameter('authn_response', 'authn_response must be an object')
  }
}

type Proven = { user: User; evidence: Evidence[] }

type Circumstances = { client: Client; organization: Organization | null; from: From }

const WRONG = 'The passkey is not valid.'

async function signIn(connection: DatabaseConnection, answer: PasskeyAnswer, deps: GrantDeps): Promise<Proven> {
  const verdict = await authenticateByPasskey([connection], answer, deps)
  if (verdict.outcome === 'proven') return verdict
  throw verdict.outcome === 'unverified'
    ? unverifiedAddress()
    : invalidGrant(WRONG, { reason: verdict.outcome === 'wrong' ? verdict.reason : 'passkey_unknown' })
}

async function createAccount(
  connection: DatabaseConnection,
  { handle, profile }: Extract<ApiCeremony, { does: 'sign-up' }>,
  { response, challenge, origins }: PasskeyAnswer,
  { client: { clientId }, organization, from: { ip, request } }: Circumstances,
  deps: GrantDeps,
): Promise<Proven> {
  const expected = { challenge, origins, rpId: relyingPartyIdOf(deps), verified: needsVerification(connection) }
  const created = await readCreation(response, expected)
  if ('refused' in created) throw invalidGrant(WRONG, { reason: 'passkey_wrong', detail: created.refused })
  if (!isAllowedModel(created, connection))
    throw invalidGrant('Passkeys of this authenticator are not accepted.', { reason: 'passkey_model_refused' })
  const passkey = await passkeyOf(created, { handle, userAgent: undefined }, deps)
  const result = await signUp(
    connection,
    { ...profile, password: null, passkey },
    { clientId, organization, ip, locale: undefined, request },
    deps,
  )
  if (result.outcome === 'refused') throw refusalOf(result)
  return { user: result.user, evidence: evidenceOf(passkey, created, connection, passkey.createdAt) }
}

type Refused = Extract<SignUpResult, { outcome: 'refused' }>

function refusalOf(refused: Refused): DomainError {
  switch (refused.reason) {
    case 'exists':
    case 'username_taken':
      return invalidRequest('The user already exists.', { reason: 'address_taken' })
    case 'too_many':
      return new DomainError('too_many_requests', 'Too many sign-ups from this address. Try again later.', {
        reason: 'too_many_sign_ups',
        retryAfter: 60,
      })
    case 'denied':
      return accessDenied(refused.denied.userMessage ?? 'Sign up was refused', {
        reason: reasonOfDenial(refused.denied),
        detail: refused.denied.reason,
      })
    case 'invalid':
      return invalidRequest(refused.problem, { reason: 'sign_up_malformed' })
    default:
      return invalidGrant('The sign-up was refused.', { reason: reasonOfSignUp(refused), detail: refused.reason })
  }
}
