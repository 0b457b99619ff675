// Builds the parts of an event, as the vendor documents them. Pure; event-request.ts builds the request.
import type { Client } from '../../data/clients/client'
import type { Connection } from '../../data/connections/connection'
import { type Organization, spokenName } from '../../data/organizations/organization'
import type { Evidence, RecordedMethod, StoredSession } from '../../data/sessions/session'
import { knownOf, presentIdentities } from '../../data/users/profile'
import type { JsonObject } from '../../kernel/json'
import type {
  EventClient,
  EventConnection,
  EventMethod,
  EventOrganization,
  EventSession,
  EventTransaction,
  EventUser,
} from './event'
import type { EventSubject } from './subject'

export const eventClient = ({ clientId, name, settings }: Client): EventClient => ({
  client_id: clientId,
  name,
  metadata: { ...settings.client_metadata },
})

export const eventConnection = ({ id, name, strategy }: Connection): EventConnection => ({
  id,
  name,
  strategy,
  metadata: {},
})

export function eventUser({ user, identities, createdAt, factors, lastPasswordReset }: EventSubject): EventUser {
  const known = {
    ...jsonOf(user.profile),
    ...knownOf(user),
    last_password_reset: lastPasswordReset?.toISOString() ?? null,
    multifactor: factors.length > 0 ? ['guardian'] : null,
  }
  return {
    ...present(known),
    user_id: user.id,
    created_at: createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    user_metadata: jsonOf(user.userMetadata),
    app_metadata: jsonOf(user.appMetadata),
    enrolledFactors: factors.map((method) => ({ method })),
    identities: presentIdentities(identities),
  }
}

export const eventOrganization = ({ id, name, settings }: Organization): EventOrganization => ({
  id,
  name,
  display_name: spokenName({ name, settings }),
  metadata: { ...settings.metadata },
})

/** `persistent` is the tenant's setting. */
export const eventSession = (session: StoredSession, persistent: boolean): EventSession => ({
  id: session.sid,
  user_id: session.userId,
  created_at: session.createdAt.toISOString(),
  updated_at: session.lastSeenAt.toISOString(),
  authenticated_at: session.authTime.toISOString(),
  idle_expires_at: session.idleExpiresAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  last_interacted_at: session.lastSeenAt.toISOString(),
  clients: session.participants.map((client_id) => ({ client_id })),
  cookie: { mode: (session.persistent ?? persistent) ? 'persistent' : 'non-persistent' },
  device: present({ initial_ip: session.initialIp, initial_user_agent: session.initialUserAgent }),
  metadata: session.metadata ?? {},
})

/** Data from a column of JSON. */
export const jsonOf = (value: Readonly<Record<string, unknown>>): JsonObject => value as JsonObject

export const present = <T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], null | undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>
  }

/** The vendor's names of the methods that were proven. */
export const eventMethods = (
  evidence: readonly Pick<Evidence, 'method' | 'at' | 'factor' | 'recorded'>[],
): EventMethod[] =>
  evidence.flatMap(({ method, at, factor, recorded = [] }) => [
    { name: METHODS[method], timestamp: at, ...(factor === undefined ? {} : { type: factor }) },
    ...recorded.map(eventRecorded),
  ])

export const eventRecorded = ({ url, at }: RecordedMethod): EventMethod => ({ name: url, timestamp: at })

const METHODS = {
  pwd: 'pwd',
  otp: 'email',
  sms: 'sms',
  fed: 'federated',
  hwk: 'passkey',
  swk: 'passkey',
  mfa: 'mfa',
} as const

/** A protocol's description of its request, in the vendor's terms. */
export type RequestDescription = {
  protocol: string
  responseType?: string[]
  responseMode?: string
  redirectUri?: string
  state?: string
  /** Who acts for the person, at a token exchange. */
  actor?: JsonObject
  /** The parameters as sent, for a request in a URL. */
  query?: Readonly<Record<string, string | undefined>>
}

/** Also those that nothing defines: an action may be waiting for one. */
const scopesSent = ({ query }: RequestDescription): string[] | null =>
  query?.scope === undefined ? null : [...new Set(query.scope.split(' ').filter((scope) => scope !== ''))]

type Requested = {
  acrValues: readonly string[]
  loginHint: string | null
  prompt: readonly string[]
  scopes: readonly string[]
  uiLocales: string | null
}

export const eventTransaction = (
  wants: Requested,
  described: RequestDescription,
  locale: string,
): EventTransaction => ({
  acr_values: [...wants.acrValues],
  locale,
  requested_scopes: scopesSent(described) ?? [...wants.scopes],
  ui_locales: (wants.uiLocales ?? '').split(' ').filter((word) => word !== ''),
  prompt: [...wants.prompt],
  protocol: described.protocol,
  ...present({
    login_hint: wants.loginHint,
    redirect_uri: described.redirectUri,
    response_type: described.responseType,
    response_mode: described.responseMode,
    state: described.state,
    actor: described.actor,
  }),
})
