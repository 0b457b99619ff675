// From stored facts to the state that the requirements judge: loads what they need and nothing they do not.
// - What was proven at a connection counts only for applications that may use it: single sign-on carries nobody into
//   an application whose connections would not let that person sign in.
import { apiOf } from '../apis/audience'
import type { Client } from '../clients/client'
import { type Connection, chooseConnection, DATABASE, isEnabledFor } from '../connections/connection'
import { strategyOf } from '../connections/strategies'
import { lookAtLink } from '../connections/strategies/login-link'
import { isPasswordless, type PasswordlessConnection } from '../connections/strategies/passwordless'
import { sendsOf } from '../connections/strategies/passwordless-message'
import { asksConsent, consentAudience } from '../consent/consent'
import { DomainError } from '../kernel/errors'
import type { LinkState } from '../one-time-code'
import type { Evidence } from '../sessions/session'
import type { User } from '../users/user'
import { sentIn } from './actions/passwordless'
import type { LoginDeps } from './deps'
import { toProve, wantsOf } from './linking'
import { type LoginFrom, loadMfa } from './mfa'
import { consentQuestion, type LoginState } from './requirements'
import type { Decisions, Wants } from './transaction'

export type Facts = { wants: Wants; user: User | null; evidence: Evidence[]; decisions: Decisions }

export async function loadState(facts: Facts, from: LoginFrom, deps: LoginDeps): Promise<LoginState> {
  const { user, decisions } = facts
  const wants = wantsOf(facts)
  const client = await findClient(wants.clientId, deps)
  const [api, evidence, chosen, usable, otherWays] = await Promise.all([
    apiOf(wants.audience, deps),
    usableEvidence(facts.evidence, client, deps),
    findDatabase(wants, client, deps),
    findUsable(wants, client, deps),
    findOtherWays(decisions, client, deps),
  ])
  const proving = toProve(facts) !== null
  const offered = proving ? otherWays : usable
  const database = proving ? (otherWays.find(isDatabase) ?? null) : chosen
  const passwordless = offered.filter(isPasswordless)
  const federated = offered.filter((connection) => strategyOf(connection) !== null)
  const agreed =
    user && asksConsent(consentQuestion({ client, api, wants }))
      ? await deps.consents.find(user.id, client.clientId, consentAudience(api))
      : null
  const link = await findLink(decisions, passwordless, from, deps)
  const state = {
    ...facts,
    wants,
    link,
    client,
    api,
    database,
    passwordless,
    federated,
    otherWays,
    evidence,
    agreed,
    now: deps.clock.now(),
  }
  return { ...state, mfa: await loadMfa(state, from, deps) }
}

async function usableEvidence(evidence: Evidence[], client: Client, deps: LoginDeps): Promise<Evidence[]> {
  if (evidence.length === 0) return evidence
  const all = (await deps.connections.all()).filter((connection) => isEnabledFor(connection, client))
  return evidence.filter((proof) => all.some(({ name }) => name === proof.connection))
}

async function findDatabase({ connection: named }: Wants, client: Client, deps: LoginDeps): Promise<Connection | null> {
  const { default_directory } = deps.settings.tenant
  const chosen = chooseConnection(await deps.connections.all(), client, named ?? undefined, default_directory)
  return chosen && isDatabase(chosen) ? chosen : null
}

const isDatabase = ({ strategy }: Connection): boolean => strategy === DATABASE

/** Costs a look-up only while a login waits for one. */
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

async function findOtherWays({ linking }: Decisions, client: Client, deps: LoginDeps): Promise<readonly Connection[]> {
  if (!linking || !('other' in linking)) return []
  const { connectionIds } = linking.other
  const all = await deps.connections.all()
  return all.filter((connection) => connectionIds.includes(connection.id) && isEnabledFor(connection, client))
}

/** All that the client may use, or the one that was named. */
async function findUsable(
  { connection: named }: Wants,
  client: Client,
  deps: LoginDeps,
): Promise<readonly Connection[]> {
  const all = await deps.connections.all()
  return all.filter((connection) => isEnabledFor(connection, client) && (named === null || named === connection.name))
}

async function findClient(clientId: string, deps: LoginDeps): Promise<Client> {
  const client = await deps.clients.find(clientId)
  if (client) return client
  throw new DomainError('unauthorized_client', 'The application no longer exists', { redirectable: false })
}
