// A connection by which members of an organization sign in, as two lists show it: `connections` has all, with `is_enabled`;
// `enabled_connections` has those that are enabled.
import * as z from 'zod'
import { DATABASE } from '../../data/connections/database-options'
import type { JsonObject } from '../../kernel/json'
import { withOthers } from '../../kernel/schema'
import { unknownMembers } from '../operations/effects'
import { invalidBody } from '../operations/errors'
import { keepOthers } from '../operations/members'

export type EnabledConnectionRow = {
  connectionId: string
  assignMembership: boolean
  showAsButton: boolean
  signupEnabled: boolean
  enabled: boolean
  kept: JsonObject
}

export type ConnectionFinder = { find(id: string): Promise<{ id: string; name: string; strategy: string } | null> }
type Deps = { managedConnections: ConnectionFinder }

const choice = z.boolean().nullish()

/** What a body may say about the connection of an organization. */
export const connectionChange = {
  assign_membership_on_login: choice,
  show_as_button: choice,
  is_signup_enabled: choice,
  is_enabled: choice,
  organization_connection_name: z.string().max(255).nullish(),
  organization_access_level: z.string().max(64).nullish(),
}

/** The members that are applied, and those that say what they are about. */
const applied = z.object({
  connection_id: z.string(),
  connection: z.object({ name: z.string(), strategy: z.string() }),
  assign_membership_on_login: choice,
  show_as_button: choice,
  is_signup_enabled: choice,
  is_enabled: choice,
})

/** As `connections` shows it. A connection that was removed since has no name. */
export const enabledConnection = withOthers(
  z.object({
    connection_id: z.string(),
    connection: applied.shape.connection.optional(),
    assign_membership_on_login: z.boolean(),
    show_as_button: z.boolean(),
    is_signup_enabled: z.boolean(),
    is_enabled: z.boolean(),
  }),
)

export const notAppliedTo = (connection: JsonObject): string[] => unknownMembers(applied, connection)

const NEW = { assignMembership: false, showAsButton: true, signupEnabled: false, enabled: true, kept: {} }

export async function newEnabledConnection(
  connectionId: string,
  body: JsonObject,
  deps: Deps,
): Promise<EnabledConnectionRow> {
  return changeEnabledConnection({ connectionId, ...NEW }, body, deps)
}

export async function changeEnabledConnection(
  row: EnabledConnectionRow,
  body: JsonObject,
  { managedConnections }: Deps,
): Promise<EnabledConnectionRow> {
  const connection = await managedConnections.find(row.connectionId)
  if (!connection) throw invalidBody('The specified connection does not exist.')
  const kept = keepOthers(applied, body, row.kept)
  const changed = {
    connectionId: row.connectionId,
    assignMembership: chosen(body.assign_membership_on_login, row.assignMembership),
    showAsButton: chosen(body.show_as_button, row.showAsButton),
    signupEnabled: chosen(body.is_signup_enabled, row.signupEnabled),
    enabled: chosen(body.is_enabled, row.enabled),
    kept,
  }
  if (changed.signupEnabled && connection.strategy !== DATABASE)
    throw invalidBody('is_signup_enabled is for database connections alone')
  if (changed.signupEnabled && !changed.assignMembership)
    throw invalidBody('is_signup_enabled needs assign_membership_on_login')
  return changed
}

const chosen = (value: unknown, before: boolean): boolean => (typeof value === 'boolean' ? value : before)

/** `whole` is the shape of `connections`. */
export async function presentEnabledConnection(
  row: EnabledConnectionRow,
  { managedConnections }: Deps,
  whole = false,
): Promise<JsonObject> {
  const connection = await managedConnections.find(row.connectionId)
  return {
    ...row.kept,
    ...(whole ? { is_enabled: row.enabled } : {}),
    connection_id: row.connectionId,
    assign_membership_on_login: row.assignMembership,
    show_as_button: row.showAsButton,
    is_signup_enabled: row.signupEnabled,
    ...(connection && { connection: { name: connection.name, strategy: connection.strategy } }),
  }
}
