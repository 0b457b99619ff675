// A connection: a named source of identities, and the selection of the connection for a login. Its strategy defines its options.
// A client may use a connection whose list contains it. A connection without a list is open to every client that an operator
// created, but never to one that registered itself (threat-model.md). For those, and for every other third party, it must be
// opened as a domain connection.
import * as z from 'zod'
import type { Client } from '../clients/client'
import { CONSOLE_CLIENT } from '../clients/console'
import { PORTAL_CLIENT } from '../clients/portal'
import { DATABASE, databaseOptions } from './database-options'
import { federatedOptions } from './federated-options'
import { emailOptions, smsOptions } from './passwordless-options'
import { SAMLP, samlOptions } from './saml-options'
import { PROVIDERS, type ProviderStrategy, providerOf } from './upstream/providers'
import { ADFS, adfsOptions, WAAD, waadOptions } from './wsfed-options'

export const connectionName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,126}[A-Za-z0-9])?$/, 'must be letters, digits and inner hyphens, 128 at most')
  .meta({
    title: 'Name',
    help: 'Letters, digits and inner hyphens, 128 at most. It cannot be changed later.',
  })

const common = {
  display_name: z.string().max(128).optional(),
  /** Client ids. Absent: every client of the tenant except those that registered themselves. */
  enabled_clients: z.array(z.string()).optional(),
  /** Open to third-party clients, regardless of the list. */
  is_domain_connection: z.boolean().default(false),
  realms: z.array(z.string()).optional(),
  /** Ours: false excludes its accounts from suggestions to link accounts. */
  suggest_account_linking: z.boolean().default(true).meta({
    title: 'Suggest to link its accounts',
    help: 'To people who have an account elsewhere too.',
    group: 'page',
    order: 304,
  }),
}

/** Connections to an upstream provider: whether the login page shows a button. */
const upstream = {
  ...common,
  show_as_button: z.boolean().optional().meta({ title: 'Button on the login page', group: 'page', order: 303 }),
  /** Ours: the only organization whose logins may use it (threat-model.md OR13). */
  organization_id: z.string().max(50).optional().meta({
    title: 'Organization',
    help: 'The only one whose logins may use it.',
    unset: 'it belongs to no organization',
    picker: 'organizations',
    group: 'page',
    order: 305,
  }),
}

/** Stored as a member of the settings, but no file or body can set it (upstream/secrets.ts). */
const sealed = z
  .object({ client_secret: z.string(), app_secret: z.string(), customHeaders: z.string(), configuration: z.string() })
  .partial()
  .default({})

const ofStrategies = <const S extends string, T extends z.ZodRawShape>(
  strategies: readonly S[],
  settings: z.ZodObject<T>,
) => z.object({ id: z.string(), name: z.string(), strategy: z.literal(strategies), settings, sealed })

/** `waad` has options of its own. */
const FEDERATED = (Object.keys(PROVIDERS) as ProviderStrategy[]).filter((strategy) => strategy !== WAAD)

/** Every strategy, with its settings as they are stored and as a tenant file and the Management API accept them. */
const connectionSchema = z.discriminatedUnion('strategy', [
  ofStrategies([DATABASE], z.object({ ...common, options: databaseOptions.prefault({}) })),
  ofStrategies(['email'], z.object({ ...common, options: emailOptions.prefault({}) })),
  ofStrategies(['sms'], z.object({ ...common, options: smsOptions.prefault({}) })),
  ofStrategies([SAMLP], z.object({ ...upstream, options: samlOptions.prefault({}) })),
  ofStrategies([ADFS], z.object({ ...upstream, options: adfsOptions.prefault({}) })),
  ofStrategies([WAAD], z.object({ ...upstream, options: waadOptions.prefault({}) })),
  ofStrategies(FEDERATED, z.object({ ...upstream, options: federatedOptions.prefault({}) })),
])

export type Connection = z.output<typeof connectionSchema>

export type Strategy = Connection['strategy']

type Settings = z.ZodObject<{ options: z.ZodPrefault<z.ZodObject> }>

const SETTINGS = Object.fromEntries(
  connectionSchema.options.flatMap(({ shape }) =>
    [...shape.strategy.values].map((strategy): [string, Settings] => [strategy, shape.settings]),
  ),
) as Readonly<Record<Strategy, Settings>>

export const STRATEGIES = Object.keys(SETTINGS) as readonly Strategy[]

export const isStrategy = (name: string): name is Strategy => Object.hasOwn(SETTINGS, name)

/** The schema of the settings. */
export const settingsOf = (strategy: Strategy): Settings => SETTINGS[strategy]

type Of<S extends Strategy> = Extract<Connection, { strategy: S }>

export type DatabaseConnection = Of<typeof DATABASE>
export type PasswordlessConnection = Of<'email' | 'sms'>
export type SamlConnection = Of<typeof SAMLP>
/** A `waad` connection speaks it only if its options select it (`speaksWsFederation`). */
export type WsFedConnection = Of<typeof ADFS | typeof WAAD>
/** A strategy of upstream/providers.ts. */
export type FederatedConnection = Of<ProviderStrategy>
/** A provider that answers with an assertion: SAML or WS-Federation. */
export type AssertionConnection = SamlConnection | WsFedConnection
/** Its users authenticate at a provider. */
export type UpstreamConnection = Exclude<Connection, DatabaseConnection | PasswordlessConnection>

type Maybe = Connection | null | undefined

export const isDatabase = (connection: Maybe): connection is DatabaseConnection => connection?.strategy === DATABASE

export const isPasswordless = (connection: Maybe): connection is PasswordlessConnection =>
  connection?.strategy === 'email' || connection?.strategy === 'sms'

export const isSaml = (connection: Maybe): connection is SamlConnection => connection?.strategy === SAMLP

export const isUpstream = (connection: Maybe): connection is UpstreamConnection =>
  connection != null && !isDatabase(connection) && !isPasswordless(connection)

/** The organization that it belongs to; null for a connection of the tenant. */
export const ownerOf = ({ settings }: Connection): string | null =>
  ('organization_id' in settings ? settings.organization_id : undefined) ?? null

export type ConnectionPort = {
  /** Every connection of the tenant, oldest first. */
  all(): Promise<readonly Connection[]>
}

export type ConnectionRecord = { id: string; name: string; strategy: string; settings: unknown }

/**
 * Null for a strategy that this release does not have, such as one stored by a later release: to logins the connection does not
 * exist. Options of another strategy are left out.
 */
export function toConnection({ settings, ...record }: ConnectionRecord): Connection | null {
  if (!isStrategy(record.strategy)) return null
  const { sealed } = settings as { sealed?: unknown }
  return connectionSchema.parse({ ...record, settings, sealed })
}

/** The displayed name. The generic providers' own names say nothing, so the connection's name is used. */
export function connectionLabel({ name, settings, strategy }: Connection): string {
  if (settings.display_name !== undefined) return settings.display_name
  const provider = providerOf(strategy)?.name
  return provider === undefined || strategy === 'oidc' || strategy === 'oauth2' ? name : provider
}

type Asking = Pick<Client, 'clientId' | 'settings' | 'isRegistered'>

const BUILT_IN = [PORTAL_CLIENT, CONSOLE_CLIENT]

/** The account portal and the console use every connection that is open to any client. */
export function isEnabledFor({ settings }: Connection, client: Asking): boolean {
  if (settings.is_domain_connection && !client.settings.is_first_party) return true
  if (BUILT_IN.includes(client.clientId)) return isOpen({ settings })
  return settings.enabled_clients?.includes(client.clientId) ?? !client.isRegistered
}

/** Whether the connection is open to any client. */
export const isOpen = ({
  settings: { enabled_clients: named, is_domain_connection },
}: Pick<Connection, 'settings'>): boolean => named === undefined || named.length > 0 || is_domain_connection

/** The connection with that name, or with that realm; only one that the client may use. */
export function chooseRealm(connections: readonly Connection[], client: Asking, realm: string): Connection | null {
  const usable = connections.filter((connection) => isEnabledFor(connection, client))
  const named = usable.find(({ name }) => name === realm)
  return named ?? usable.find(({ settings }) => settings.realms?.includes(realm)) ?? null
}

/** The named database connection, or all of them with the tenant's default directory first; only those that the client may use. */
export function usableDatabases(
  connections: readonly Connection[],
  client: Asking,
  named: string | undefined,
  defaultDirectory: string | undefined,
): readonly DatabaseConnection[] {
  const usable = connections.filter(isDatabase).filter((connection) => isEnabledFor(connection, client))
  if (named !== undefined) return usable.filter(({ name }) => name === named)
  const first = usable.find(({ name }) => name === defaultDirectory)
  return first ? [first, ...usable.filter((connection) => connection !== first)] : usable
}

/** The first of them. */
export const chooseDatabase = (...choice: Parameters<typeof usableDatabases>): DatabaseConnection | null =>
  usableDatabases(...choice)[0] ?? null
