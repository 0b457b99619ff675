// grant_type=…:token-exchange (RFC 8693) as the vendor's custom token exchange: a client brings a token of elsewhere, and an action of the tenant
// judges it and says whom it is about. The type of the token selects the profile, and the profile the action.
// - The action's word replaces the first proof alone. Everything else of a login is judged as ever: a blocked user, the organization, second
//   factors, the actions after a login.
// - Its tokens open no operation that changes how a person signs in: no built-in API, no factor to be added, no proof for linking accounts
//   (`gty` in the ID token). None is issued for a person with rights over the tenant (threat-model.md TX1 to TX5).
import { isBuiltIn } from '../../../data/apis/api'
import { findAudience } from '../../../data/apis/audience'
import { type Client, TOKEN_EXCHANGE } from '../../../data/clients/client'
import { chooseRealm, isDatabase } from '../../../data/connections/connection'
import { namedIn, type Organization } from '../../../data/organizations/organization'
import { countOf, networkBounds, takeAllowance } from '../../../data/users/allowance'
import type { User } from '../../../data/users/user'
import { optional, resource, scope, text } from '../../../http/description'
import { APP } from '../../../http/examples'
import type { CustomTokenExchangeEvent } from '../../../identity/tenant-code/event'
import { eventClient, eventOrganization } from '../../../identity/tenant-code/events'
import { type Denied, type Effects, type ExchangedUser, reasonOfDenial } from '../../../identity/tenant-code/trigger'
import {
  accessDenied,
  DomainError,
  type ErrorCode,
  invalidRequest,
  malformedParameter,
  missingParameter,
  tooManyAttempts,
} from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { authenticateBrowserless } from '../../../login/browserless/browserless'
import { EXCHANGED } from '../../../tokens/exchanged'
import { scopesWithoutPage } from '../scope'
import type { Grant, GrantDeps } from './grant'

/** The vendor bounds none. A subject token is a token, or a document of that size. */
const MAX_TOKEN = 32 * 1024

export const tokenExchange: Grant = {
  type: TOKEN_EXCHANGE,
  events: { done: 'token_exchanged', refused: 'token_exchange_refused' },
  describe: () => ({
    parameters: {
      subject_token: text('The token that an action of the tenant judges'),
      subject_token_type: text('The type of the token, which selects the profile'),
      actor_token: optional('The token of who acts for the person'),
      actor_token_type: optional('Its type'),
      requested_token_type: optional('What the action reads'),
      audience: optional('The API that the access token is for'),
      resource: resource(),
      scope: scope(),
      organization: optional(
        'The organization that the person signs in to: its id, or its name where the tenant allows names',
      ),
    },
    example: {
      ...APP,
      subject_token: 'a token of the old system',
      subject_token_type: 'urn:acme:legacy-token',
      scope: 'openid',
    },
  }),
  async authorize(parameters, client, deps, from) {
    const tokens = tokensIn(parameters)
    await refuseGuessing(from.ip, deps)
    const profile = await deps.tokenExchange.profileOf(tokens.subject_token_type)
    if (!profile) throw invalidRequest('Unknown subject_token_type', { reason: 'subject_token_type_unknown' })
    const api = await findAudience(parameters, client, deps)
    if (api && isBuiltIn(api))
      throw new DomainError('invalid_target', 'Tokens for this API are not issued by a token exchange', {
        reason: 'exchange_for_built_in_api',
      })
    const scopes = scopesWithoutPage(parameters.scope, client, api, deps.trail)
    const named = await namedIn(parameters.organization || undefined, usageOf(client), deps)
    const at = deps.clock.now().toISOString()
    const effects = await deps.triggers.runOne(profile.actionName, 'custom-token-exchange', {
      tenant: { id: deps.tenantId },
      client: eventClient(client),
      ...(named ? { organization: eventOrganization(named) } : {}),
      request: from.request(),
      ...(api ? { resource_server: { identifier: api.identifier } } : {}),
      transaction: { protocol: PROTOCOL, requested_scopes: [...scopes], ...tokens },
    })
    if (effects.denied) throw await refusalOf(effects.denied, from.ip, deps)
    const { user, connection } = await personOf(effects, client, from.ip, deps)
    const organization = await organizationOf(effects, named, client, deps)
    const actor = effects.exchange?.actor
    const login = {
      ...{ user: await withMetadata(user, effects, deps), client, api, gty: EXCHANGED, protocol: PROTOCOL, ...from },
      evidence: [{ method: 'fed' as const, at, connection }],
      scopes: actor ? scopes.filter((scope) => scope !== 'offline_access') : scopes,
      ...(organization ? { organization } : {}),
      ...(actor ? { actor } : {}),
    }
    return authenticateBrowserless(login, deps)
  },
}

const PROTOCOL = 'oauth2-token-exchange'

/** An action may still set one. */
const usageOf = ({ settings }: Client) =>
  settings.organization_usage === 'require' ? 'allow' : settings.organization_usage

type Tokens = Pick<
  CustomTokenExchangeEvent['transaction'],
  'subject_token' | 'subject_token_type' | 'requested_token_type' | 'actor_token' | 'actor_token_type'
>

function tokensIn(parameters: Parameters): Tokens {
  const { subject_token, subject_token_type, requested_token_type, actor_token, actor_token_type } = parameters
  if (!subject_token) throw missingParameter('subject_token')
  if (!subject_token_type) throw missingParameter('subject_token_type')
  // RFC 8693 2.1.
  if (actor_token && !actor_token_type) throw missingParameter('actor_token_type')
  if (!actor_token && actor_token_type) throw missingParameter('actor_token')
  for (const [name, token] of Object.entries({ subject_token, actor_token }))
    if (token && token.length > MAX_TOKEN) throw malformedParameter(name, `${name} is too long`)
  return {
    ...{ subject_token, subject_token_type },
    ...(requested_token_type ? { requested_token_type } : {}),
    ...(actor_token && actor_token_type ? { actor_token, actor_token_type } : {}),
  }
}

/** The vendor's: ten bad tokens of an address, and one more in ten minutes. */
const MAX_BAD_TOKENS = 10
const BAD_TOKEN_SECONDS = 6000

const badTokens = (ip: string) => networkBounds('bad-subject-tokens', ip, MAX_BAD_TOKENS, BAD_TOKEN_SECONDS)

const guards = ({ settings }: GrantDeps, ip: string): boolean => {
  const { enabled, shields, allowlist } = settings.attackProtection.suspiciousIpThrottling
  return enabled && shields.includes('block') && !allowlist.includes(ip)
}

async function refuseGuessing(ip: string, deps: GrantDeps): Promise<void> {
  if (!guards(deps, ip)) return
  for (const bound of badTokens(ip)) if ((await countOf(bound, deps)) >= bound.most) throw tooManyAttempts()
}

/** What OAuth knows keeps its status; a code of the action's own is sent as it is. */
const KNOWN: readonly string[] = [
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'access_denied',
]

async function refusalOf(denied: Denied, ip: string, deps: GrantDeps): Promise<DomainError> {
  if (denied.rejectsToken && guards(deps, ip)) await takeAllowance(badTokens(ip), deps)
  const reason = denied.rejectsToken ? ('subject_token_rejected' as const) : reasonOfDenial(denied)
  // `server_error` would report a fault of this server.
  const code = denied.code === 'server_error' ? 'access_denied' : denied.code
  return KNOWN.includes(code)
    ? new DomainError(code as ErrorCode, denied.reason, { reason })
    : new DomainError('access_denied', denied.reason, { reason, members: { error: code } })
}

type Person = { user: User; connection: string }

async function personOf({ exchange }: Effects, client: Client, ip: string, deps: GrantDeps): Promise<Person> {
  if (!exchange?.user) throw unusable('The action named no user')
  const person =
    exchange.user.by === 'id'
      ? await byId(exchange.user.userId, deps)
      : await byConnection(exchange.user, client, ip, deps)
  deps.trail.context({ user: person.user })
  const { holdsRights } = await deps.exchangedUsers()
  if (await holdsRights(person.user.id))
    throw accessDenied('A token exchange never acts for an administrator', { reason: 'exchange_for_administrator' })
  return person
}

const unusable = (detail: string) =>
  accessDenied('The user of the subject token cannot sign in', { reason: 'exchange_without_user', detail })

async function byId(userId: string, deps: GrantDeps): Promise<Person> {
  const user = await deps.users.find(userId)
  if (!user) throw unusable('There is no user of the id that the action named')
  const subject = await deps.eventSubjects.find(userId)
  return { user, connection: subject?.identities[0]?.connection ?? '' }
}

/** Only a connection that is enabled for the client: its people are the ones whom the client may sign in. */
async function byConnection(
  { connection: name, attributes, creates, updates }: Extract<ExchangedUser, { by: 'connection' }>,
  client: Client,
  ip: string,
  { connections, exchangedUsers, tokenExchange: { findAccount } }: GrantDeps,
): Promise<Person> {
  const connection = chooseRealm(await connections.all(), client, name)
  if (!connection) throw unusable(`No connection ${name} is enabled for the application`)
  const { user_id } = attributes
  // Accounts of most enterprise connections are stored under the name of their connection.
  const found = (await findAccount(connection.id, user_id)) ?? (await findAccount(connection.id, `${name}|${user_id}`))
  const { create, update } = await exchangedUsers()
  if (found) return { user: (updates && (await update(found, attributes))) || found, connection: name }
  if (!creates) throw unusable('The connection has no such account, and the action makes none')
  if (!isDatabase(connection)) throw unusable('An account of this connection is made by its first login')
  const made = await create(connection, attributes, { clientId: client.clientId, ip })
  if ('refused' in made) throw unusable(made.refused)
  return { user: made, connection: name }
}

async function organizationOf(
  { exchange }: Effects,
  named: Organization | null,
  client: Client,
  deps: GrantDeps,
): Promise<Organization | null> {
  const id = exchange?.organization
  if (id !== undefined && named && named.id !== id)
    throw unusable('The action names another organization than the request')
  const organization = id === undefined ? named : await namedIn(id, client.settings.organization_usage, deps)
  if (!organization) await namedIn(undefined, client.settings.organization_usage, deps)
  return organization
}

async function withMetadata(user: User, { userMetadata, appMetadata }: Effects, deps: GrantDeps): Promise<User> {
  if (Object.keys(userMetadata).length + Object.keys(appMetadata).length === 0) return user
  const changed = await deps.eventSubjects.change(user.id, { userMetadata, appMetadata }, deps.clock.now())
  if (!changed) throw unusable('The user was deleted meanwhile')
  return changed
}
