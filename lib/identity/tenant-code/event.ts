// The vendor's `event`, per trigger, as plain JSON data.
// - The engine adds `secrets` and `configuration`; an event never contains anything else, such as a token or password.
// - An optional field without a value is omitted, never null.

import type { PresentedIdentity } from '../../data/users/profile'
import type { JsonObject } from '../../kernel/json'
import type { GeoLocation } from './geoip'

export type EventUser = {
  user_id: string
  email?: string
  email_verified?: boolean
  username?: string
  phone_number?: string
  phone_verified?: boolean
  name?: string
  given_name?: string
  family_name?: string
  nickname?: string
  picture?: string
  user_metadata: JsonObject
  app_metadata: JsonObject
  created_at?: string
  updated_at?: string
  last_password_reset?: string
  identities?: PresentedIdentity[]
  multifactor?: string[]
  enrolledFactors?: { method: string }[]
}

export type EventRequest = {
  ip: string
  method: string
  hostname?: string
  language?: string
  user_agent?: string
  /** Parameters of the request; never a password, a code, a secret or a token. */
  query: JsonObject
  body: JsonObject
  geoip: GeoLocation
}

export type EventClient = { client_id: string; name: string; metadata: JsonObject }
export type EventConnection = { id: string; name: string; strategy: string; metadata: JsonObject }

export type EventOrganization = { id: string; name: string; display_name: string; metadata: JsonObject }

export type EventTransaction = {
  /** Who acts for the person, at a token exchange. */
  actor?: JsonObject
  acr_values: string[]
  locale: string
  login_hint?: string
  prompt?: string[]
  /** `oidc-basic-profile`, `oauth2-refresh-token`, `samlp`, … */
  protocol?: string
  redirect_uri?: string
  requested_scopes: string[]
  response_mode?: string
  response_type?: string[]
  state?: string
  ui_locales: string[]
}

/** Of the client's TLS connection. */
export type EventSecurityContext = { ja3?: string; ja4?: string }

/** `name` is `pwd`, `federated`, `sms`, `email`, `mfa`, … or the URL of a recorded method; `type` is the factor of an `mfa`. */
export type EventMethod = { name: string; timestamp: string; type?: string }

export type EventSession = {
  id: string
  created_at: string
  updated_at: string
  authenticated_at: string
  idle_expires_at: string
  expires_at: string
  last_interacted_at: string
  user_id: string
  clients: { client_id: string }[]
  cookie: { mode: 'persistent' | 'non-persistent' }
  /** Of the request that finished its first login. */
  device: { initial_ip?: string; initial_user_agent?: string }
  /** Also what earlier actions of the login set. */
  metadata: Record<string, string>
}

export type EventRefreshToken = {
  id: string
  client_id: string
  user_id?: string
  session_id?: string
  created_at: string
  rotating: boolean
  resource_servers: { audience: string; scopes: string }[]
  /** Also what earlier actions of the refresh set. */
  metadata: Record<string, string>
  expires_at: string
  idle_expires_at?: string
  last_exchanged_at?: string
}

/** Of every event. */
type Tenant = { tenant: { id: string }; security_context?: EventSecurityContext }

export type PostLoginEvent = Tenant & {
  /** `riskAssessment` is there where the server knows places (geoip.ts). */
  authentication?: { methods: EventMethod[]; riskAssessment?: JsonObject }
  authorization?: { roles: string[] }
  client: EventClient
  connection: EventConnection
  request: EventRequest
  resource_server?: { identifier: string }
  /** At a refresh. */
  refresh_token?: EventRefreshToken
  /** Of the browser, from before this login. */
  session?: EventSession
  stats: { logins_count: number }
  /** `metadata` is what earlier actions of the login set. */
  transaction?: EventTransaction & { metadata?: JsonObject }
  user: EventUser
  /** Of a login for one. */
  organization?: EventOrganization
}

export type CredentialsExchangeEvent = Tenant & {
  accessToken: { customClaims: JsonObject; scope: string[] }
  client: EventClient
  /** Of a token for one. */
  organization?: EventOrganization
  request: EventRequest
  resource_server: { identifier: string }
  /** The token gets those of `target_scopes` that the client's grant has. */
  transaction: { requested_scopes: string[]; target_scopes: string[] }
}

/** `subject_token` and `actor_token` are what the client sent, for the action to judge. */
export type CustomTokenExchangeEvent = Tenant & {
  client: EventClient
  /** Of an exchange for one. */
  organization?: EventOrganization
  request: EventRequest
  resource_server?: { identifier: string }
  transaction: {
    protocol: 'oauth2-token-exchange'
    requested_scopes: string[]
    subject_token: string
    subject_token_type: string
    requested_token_type?: string
    actor_token?: string
    actor_token_type?: string
  }
}

/** The user does not exist yet: `user` has no id. */
export type PreUserRegistrationEvent = Tenant & {
  client?: EventClient
  connection: EventConnection
  /** Of a login for one. */
  organization?: EventOrganization
  request: EventRequest
  transaction?: EventTransaction
  user: Partial<EventUser> & { user_metadata: JsonObject; app_metadata: JsonObject }
}

export type PostUserRegistrationEvent = Tenant & {
  connection: EventConnection
  /** Of a login for one. */
  organization?: EventOrganization
  request?: EventRequest
  transaction?: EventTransaction
  user: EventUser
}

/** Of a reset by mail, before the new password is set. */
export type PasswordResetEvent = Tenant & {
  authentication: { methods: EventMethod[] }
  authorization: { roles: string[] }
  client?: EventClient
  connection: EventConnection
  organization?: EventOrganization
  request: EventRequest
  stats: { logins_count: number }
  transaction: JsonObject
  user: EventUser
}

export type PostChangePasswordEvent = Tenant & {
  connection: EventConnection
  request?: EventRequest
  transaction?: EventTransaction
  user: EventUser
}

export type SendPhoneMessageEvent = Tenant & {
  client?: EventClient
  message_options: {
    action: 'enrollment' | 'second-factor-authentication'
    code: string
    message_type: 'sms' | 'voice'
    recipient: string
    text: string
  }
  request: EventRequest
  user: EventUser
}

/** What the tenant's settings say of it. */
export type EventTenant = {
  id: string
  friendly_name?: string
  home_url?: string
  logo_url?: string
  support_email?: string
  support_url?: string
}

/** `user` has no `user_id` where the recipient has no account yet; the texts of `client` are empty where no application caused the message. */
type MessageEvent = {
  client: EventClient
  connection?: EventConnection
  organization?: EventOrganization
  request: EventRequest
  tenant: EventTenant
  user: Partial<EventUser> & { user_metadata: JsonObject; app_metadata: JsonObject }
}

export type CustomEmailProviderEvent = MessageEvent & {
  notification: {
    from: string
    html: string
    locale: string
    message_type: string
    subject: string
    text: string
    to: string
  }
}

export type CustomPhoneProviderEvent = MessageEvent & {
  notification: {
    as_text: string
    as_voice: string
    code?: string
    delivery_method: 'text' | 'voice'
    from?: string
    locale: string
    message_type: string
    recipient: string
  }
}

export type TriggerEvents = {
  'post-login': PostLoginEvent
  'credentials-exchange': CredentialsExchangeEvent
  'custom-token-exchange': CustomTokenExchangeEvent
  'pre-user-registration': PreUserRegistrationEvent
  'post-user-registration': PostUserRegistrationEvent
  'password-reset-post-challenge': PasswordResetEvent
  'post-change-password': PostChangePasswordEvent
  'send-phone-message': SendPhoneMessageEvent
  'custom-phone-provider': CustomPhoneProviderEvent
  'custom-email-provider': CustomEmailProviderEvent
}
