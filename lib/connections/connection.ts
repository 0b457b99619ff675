// A connection: a named source of identities, and the selection of the connection for a login.
// A client may use a connection whose list contains it. A connection without a list is open to every client that an operator
// created, but never to one that registered itself (threat-model.md). For those, and for every other third party, it must be
// opened as a domain connection.
import * as z from 'zod'
import type { Client } from '../clients/client'
import { passwordOptions } from '../users/password-options'
import { signUpField } from '../users/sign-up-fields'
import { federatedOptions } from './federated-options'
import { passwordlessOptions } from './passwordless-options'
import { samlOptions } from './saml-options'
import { adfsOptions, waadOptions, wsfedOptions } from './wsfed-options'

const webAddress = z.url({ protocol: /^https?$/ })

export const connectionName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,126}[A-Za-z0-9])?$/, 'must be letters, digits and inner hyphens, 128 at most')

const usernameLength = z
  .object({ min: z.number().int().min(1).max(128).default(1), max: z.number().int().min(1).max(128).default(15) })
  .prefault({})

const common = {
  display_name: z.string().max(128).optional(),
  /** Client ids. Absent: every client of the tenant except those that registered themselves. */
  enabled_clients: z.array(z.string()).optional(),
  /** Open to third-party clients, regardless of the list. */
  is_domain_connection: z.boolean().default(false),
  realms: z.array(z.string()).optional(),
  /** Ours: false excludes its accounts from suggestions to link accounts. */
  suggest_account_linking: z.boolean().default(true),
}

const everyOption = {
  brute_force_protection: z.boolean().default(true),
  disable_signup: z.boolean().default(false),
}

const databaseOptions = {
  ...everyOption,
  requires_username: z.boolean().default(false),
  /** Ours: no login before the address is verified. */
  require_verified_email: z.boolean().default(false),
  /** Ours: sign-up gives the same response for a taken address, and no login is possible before the address is verified. */
  hide_existing_accounts: z.boolean().default(false),
  validation: z.object({ username: usernameLength }).prefault({}),
  /** Ours: further fields of the sign-up page; the values become `user_metadata`. */
  signup_fields: z.array(signUpField).max(10).default([]),
  /** Ours: links on the sign-up page. */
  signup_terms: z.object({ terms_url: webAddress.optional(), privacy_url: webAddress.optional() }).prefault({}),
  ...passwordOptions,
}

/** Whether the login page shows a button, for strategies that have none by default. */
const shown = { show_as_button: z.boolean().optional() }

/** The settings of each kind in a tenant file. */
export const databaseSettings = z.object({ ...common, options: z.object(databaseOptions).prefault({}) })

export const passwordlessSettings = z.object({
  ...common,
  options: z.object({ ...everyOption, ...passwordlessOptions }).prefault({}),
})

const secretText = z.string().min(1).max(10_000).optional()

export const federatedSettings = z.object({
  ...common,
  ...shown,
  options: z
    .object({
      disable_signup: everyOption.disable_signup,
      ...federatedOptions,
      client_secret: secretText,
      app_secret: secretText,
    })
    .prefault({}),
})

/** Options of every provider, regardless of the protocol. */
const everyProvider = {
  disable_signup: everyOption.disable_signup,
  set_user_root_attributes: federatedOptions.set_user_root_attributes,
  should_trust_email_verified_connection: federatedOptions.should_trust_email_verified_connection,
  trust_email_claim: federatedOptions.trust_email_claim,
  icon_url: federatedOptions.icon_url,
  domain_aliases: federatedOptions.domain_aliases,
}

export const samlSettings = z.object({
  ...common,
  ...shown,
  options: z.object({ ...everyProvider, ...samlOptions }).prefault({}),
})

export const adfsSettings = z.object({
  ...common,
  ...shown,
  options: z
    .object({ ...everyProvider, upstream_params: federatedOptions.upstream_params, ...adfsOptions })
    .prefault({}),
})

/** Microsoft Entra ID speaks WS-Federation as well as OpenID Connect. */
export const waadSettings = federatedSettings.extend({
  options: federatedSettings.shape.options.unwrap().extend(waadOptions).prefault({}),
})

export const connectionSettings = z.object({
  ...common,
  ...shown,
  options: z
    .object({ ...databaseOptions, ...passwordlessOptions, ...federatedOptions, ...samlOptions, ...wsfedOptions })
    .prefault({}),
  /** Sealed secrets (upstream/secrets.ts). */
  sealed: z.object({ client_secret: z.string(), app_secret: z.string() }).partial().optional(),
})

export type ConnectionSettings = z.output<typeof connectionSettings>

export type Connection = { id: string; name: string; strategy: string; settings: ConnectionSettings }

export type ConnectionPort = {
  /** Every connection of the tenant, oldest first. */
  all(): Promise<readonly Connection[]>
}

export const toConnection = (record: {
  id: string
  name: string
  strategy: string
  settings: unknown
}): Connection => ({
  ...record,
  settings: connectionSettings.parse(record.settings),
})

/** The vendor's strategy name of database connections; also the provider part of their subjects. */
export const DATABASE = 'auth0'

/** The displayed name. The generic providers' own names say nothing, so the connection's name is used. */
export function connectionLabel({ name, settings, strategy }: Connection, provider: string | undefined): string {
  if (settings.display_name !== undefined) return settings.display_name
  return provider === undefined || strategy === 'oidc' || strategy === 'oauth2' ? name : provider
}

type Asking = Pick<Client, 'clientId' | 'settings' | 'isRegistered'>

export function isEnabledFor({ settings }: Connection, client: Asking): boolean {
  if (settings.is_domain_connection && !client.settings.is_first_party) return true
  return settings.enabled_clients?.includes(client.clientId) ?? !client.isRegistered
}

/** The connection with that name, or with that realm; only one that the client may use. */
export function chooseRealm(connections: readonly Connection[], client: Asking, realm: string): Connection | null {
  const usable = connections.filter((connection) => isEnabledFor(connection, client))
  const named = usable.find(({ name }) => name === realm)
  return named ?? usable.find(({ settings }) => settings.realms?.includes(realm)) ?? null
}

/**
 * The named connection, or the tenant's default directory, or the first database connection; only one that the client may use.
 */
export function chooseConnection(
  connections: readonly Connection[],
  client: Asking,
  named: string | undefined,
  defaultDirectory: string | undefined,
): Connection | null {
  const usable = connections.filter((connection) => isEnabledFor(connection, client))
  if (named !== undefined) return usable.find((connection) => connection.name === named) ?? null
  const databases = usable.filter((connection) => connection.strategy === DATABASE)
  return databases.find((connection) => connection.name === defaultDirectory) ?? databases[0] ?? null
}
