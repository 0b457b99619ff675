// Builds the state that the requirements evaluate, and loads only what they need.
// - A proof at a connection counts only for clients that may use the connection: single sign-on admits no user to a client
//   whose connections would not sign that user in.
import { apiOf } from '../../data/apis/audience'
import type { Client } from '../../data/clients/client'
import {
  type Connection,
  isDatabase,
  isEnabledFor,
  isPasswordless,
  isUpstream,
  type PasswordlessConnection,
  usableDatabases,
} from '../../data/connections/connection'
import { asksConsent, consentAudience } from '../../data/consent/consent'
import { enabledIn } from '../../data/organizations/organization'
import { type Evidence, hasEnded } from '../../data/sessions/session'
import type { User } from '../../data/users/user'
import type { LinkState } from '../../identity/one-time-codes/one-time-code'
import { lookAtLink } from '../../identity/strategies/login-link'
import { sendsOf } from '../../identity/strategies/passwordless-message'
import { DomainError } from '../../kernel/errors'
import { connectionsFor } from '../apart'
import type { LoginDeps } from '../deps'
import { sentIn } from '../forms/passwordless'
import type { LoginState } from '../login-state'
import { consentQuestion } from '../steps/consent'
import type { Decisions, Wants } from '../transaction'
import { toProve, wantsOf } from './linking'
import { isAcrUnattainable, type LoginFrom, loadMfa } from './mfa'
import {
  acceptingOf,
  databaseIn,
  findInvitation,
  findOrganization,
  loadStanding,
  type OrganizationStanding,
} from './organization'

export type LoginFacts = { wants: Wants; user: User | null; evidence: Evidence[]; decisions: Decisions }

export async function loadState(facts: LoginFacts, from: LoginFrom, deps: LoginDeps): Promise<LoginState> {
  const { user, decisions } = facts
  const wants = wantsOf(facts)
  const client = await findClient(wants.clientId, deps)
  const [api, existing] = await Promise.all([apiOf(wants.audience, client, deps), deps.connections.all()])
  const all = connectionsFor(wants, existing)
  const { organization, problem } = await findOrganization(wants, decisions, client, deps)
  const invitation = await findInvitation(wants, organization, client, deps)
  const enabled = acceptingOf(
    invitation,
    enabledIn(
      organization,
      all.filter((connection) => isEnabledFor(connection, client)),
    ),
  )
  const otherWays = otherWaysOf(decisions, enabled)
  const proving = toProve(facts) !== null
  const offered = proving ? otherWays : usableOf(wants, enabled)
  const databases = proving
    ? otherWays.filter(isDatabase)
    : usableDatabases(enabled, client, wants.connection ?? undefined, deps.settings.tenant.default_directory)
  const passwordless = offered.filter(isPasswordless)
  const now = deps.clock.now()
  const evidence = facts.evidence.filter(
    (proof) => enabled.some(({ name }) => name === proof.connection) && !hasEnded(proof, now),
  )
  const agreed =
    user && asksConsent(consentQuestion({ client, api, wants }))
      ? await deps.consents.find(user.id, client.clientId, consentAudience(api))
      : null
  // No object spread: for an object this large it is many times slower, and this runs at every step of a login.
  const state: LoginState = {
    wants,
    client,
    api,
    organization,
    organizationProblem: problem,
    acrUnattainable: isAcrUnattainable({ wants, evidence }, deps),
    membership: null,
    choices: null,
    connections: enabled,
    invitation,
    databases: databases.map((database) => databaseIn(organization, invitation, database)),
    passwordless,
    link: await findLink(decisions, passwordless, from, deps),
    federated: offered.filter(isUpstream),
    identifierFirst: deps.settings.prompts.identifier_first,
    otherWays,
    user,
    evidence,
    decisions,
    remembered: from.remembered,
    agreed,
    mfa: null,
    now,
  }
  const mfa = await loadMfa(state, from, deps)
  const judged = mfa === null ? state : { ...state, mfa }
  const standing = await loadStanding(judged, deps)
  if (standing === null) return judged
  const only = from.hasPages ? onlyChoice(standing) : null
  if (only === null) return { ...judged, ...standing }
  // Not a decision of the user: another account that signs in has a choice of its own.
  const chosen = await loadState({ ...facts, decisions: { ...decisions, organization: only } }, from, deps)
  return { ...chosen, decisions }
}

/** A member of one organization is not asked which. */
const onlyChoice = ({ choices }: OrganizationStanding): string | null =>
  choices?.total === 1 ? (choices.found[0]?.id ?? null) : null

/** Costs a look-up only while a login waits for a link. */
async function findLink(
  decisions: Decisions,
  passwordless: readonly PasswordlessConnection[],
  { login }: LoginFrom,
  deps: LoginDeps,
): Promise<LinkState | null> {
  const sent = sentIn({ decisions, passwordless })
  if (!sent || login === null || sendsOf(sent.connection) === 'code') return null
  return lookAtLink({ ...sent, login }, null, deps)
}

function otherWaysOf({ linking }: Decisions, enabled: readonly Connection[]): readonly Connection[] {
  if (!linking || !('other' in linking)) return []
  const { connectionIds } = linking.other
  return enabled.filter(({ id }) => connectionIds.includes(id))
}

/** All enabled connections, or only the requested one. */
const usableOf = ({ connection: named }: Wants, enabled: readonly Connection[]): readonly Connection[] =>
  named === null ? enabled : enabled.filter(({ name }) => name === named)

async function findClient(clientId: string, deps: LoginDeps): Promise<Client> {
  const client = await deps.clients.find(clientId)
  if (client) return client
  throw new DomainError('unauthorized_client', 'The application no longer exists', {
    reason: 'client_gone',
    redirectable: false,
  })
}
