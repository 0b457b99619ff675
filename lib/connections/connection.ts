// A connection: a named source of identities, and the choice of the one that a login uses.
// A client may use a connection that lists it; a connection without a list is open to every client.
import { z } from 'zod'
import { passwordOptions } from '../users/password-options'
import { signUpField } from '../users/sign-up-fields'

const webAddress = z.url({ protocol: /^https?$/ })

const usernameLength = z
  .object({ min: z.number().int().min(1).max(128).default(1), max: z.number().int().min(1).max(128).default(15) })
  .prefault({})

export const connectionSettings = z.object({
  display_name: z.string().max(128).optional(),
  /** Client ids. Absent: every client of the tenant. */
  enabled_clients: z.array(z.string()).optional(),
  realms: z.array(z.string()).optional(),
  options: z
    .object({
      requires_username: z.boolean().default(false),
      brute_force_protection: z.boolean().default(true),
      disable_signup: z.boolean().default(false),
      /** Ours: nobody signs in before the address is verified. */
      require_verified_email: z.boolean().default(false),
      validation: z.object({ username: usernameLength }).prefault({}),
      /** Ours: what the sign-up page asks for beside address and password; answers become `user_metadata`. */
      signup_fields: z.array(signUpField).max(10).default([]),
      /** Ours: what the sign-up page links to. */
      signup_terms: z.object({ terms_url: webAddress.optional(), privacy_url: webAddress.optional() }).prefault({}),
      ...passwordOptions,
    })
    .prefault({}),
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

/** The strategy name of database connections, as the vendor has it; also the provider part of their subjects. */
export const DATABASE = 'auth0'

export const isEnabledFor = (connection: Connection, clientId: string): boolean =>
  connection.settings.enabled_clients?.includes(clientId) ?? true

/** The connection of that name, or the one that has it as a realm; only one the client may use. */
export function chooseRealm(connections: readonly Connection[], clientId: string, realm: string): Connection | null {
  const usable = connections.filter((connection) => isEnabledFor(connection, clientId))
  const named = usable.find(({ name }) => name === realm)
  return named ?? usable.find(({ settings }) => settings.realms?.includes(realm)) ?? null
}

/** The connection named, or the tenant's default directory, or the first database connection; only one the client may use. */
export function chooseConnection(
  connections: readonly Connection[],
  clientId: string,
  named: string | undefined,
  defaultDirectory: string | undefined,
): Connection | null {
  const usable = connections.filter((connection) => isEnabledFor(connection, clientId))
  if (named !== undefined) return usable.find((connection) => connection.name === named) ?? null
  const databases = usable.filter((connection) => connection.strategy === DATABASE)
  return databases.find((connection) => connection.name === defaultDirectory) ?? databases[0] ?? null
}
