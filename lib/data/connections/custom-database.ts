// A database whose accounts are elsewhere: scripts of the tenant check passwords and look people up there, under the vendor's names
// (docs/scripts.md). `import_mode` moves each person here at the first login; without it the scripts are asked each time.
import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../kernel/json'
import type { DatabaseConnection } from './connection'
import { scriptText as script } from './script-text'

const MAX_VALUES = 100

export const DATABASE_SCRIPTS = [
  'login',
  'get_user',
  'create',
  'verify',
  'change_password',
  'change_email',
  'change_username',
  'change_phone_number',
  'delete',
] as const

export type DatabaseScript = (typeof DATABASE_SCRIPTS)[number]

/** With `import_mode` people are here afterwards, so that the others have nothing to do. */
const IMPORTING: readonly DatabaseScript[] = ['login', 'get_user']

const titled = (title: string, order: number) =>
  script.meta({ title, group: 'scripts', order, multiline: true, syntax: 'javascript' })

export const customDatabaseOptions = {
  enabledDatabaseCustomization: z.boolean().default(false).meta({
    title: 'Accounts are in another database',
    help: 'The scripts below look there.',
    group: 'scripts',
    order: 151,
  }),
  import_mode: z
    .boolean()
    .default(false)
    .meta({ title: 'Move people here', help: 'Each at the first login.', group: 'scripts', order: 152 }),
  /** Scripts get a `context` in front of the callback. */
  enable_script_context: z
    .boolean()
    .default(false)
    .meta({ title: 'Scripts get a context', help: 'In front of the callback.', group: 'scripts', order: 153 }),
  customScripts: z
    .object({
      login: titled('Log in', 155),
      get_user: titled('Find a person', 156),
      create: titled('Sign up', 157),
      verify: titled('Verify an address', 158),
      change_password: titled('Change the password', 159),
      change_email: titled('Change the address', 159.1),
      change_username: titled('Change the username', 159.2),
      change_phone_number: titled('Change the phone number', 159.3),
      delete: titled('Delete', 159.4),
    })
    .optional(),
  /** Values that scripts have in `configuration`: sealed, and masks here (upstream/secrets.ts). */
  configuration: z
    .record(
      z.string().regex(/^[\w@*+:.-]{1,127}$/, 'must be a name of letters, digits and _ - . @ * + :'),
      z.string().max(10_000),
    )
    .refine((value) => Object.keys(value).length <= MAX_VALUES, `must be ${MAX_VALUES} values at most`)
    .optional()
    .meta({
      title: 'Values for scripts',
      help: 'Stored encrypted. One that is shown as ******** stays as it is.',
      group: 'scripts',
      order: 154,
    }),
}

export const configurationValues = customDatabaseOptions.configuration

/** `bareConfiguration` is the vendor's name of the same values in clear; undefined for options with neither. */
export function configurationIn({ configuration, bareConfiguration }: JsonObject): Json | undefined {
  if (bareConfiguration === undefined || bareConfiguration === null) return configuration
  return isJsonObject(bareConfiguration) ? { ...objectIn(configuration), ...bareConfiguration } : bareConfiguration
}

/** The paths of what is set and has no effect, as at the vendor: without customization all of it, with `import_mode` some scripts. */
export function unusedScripts(options: JsonObject): string[] {
  const scripts = Object.keys(objectIn(options.customScripts))
  if (options.enabledDatabaseCustomization === true)
    return options.import_mode === true
      ? scripts
          .filter((name) => !isIn(IMPORTING, name) && isIn(DATABASE_SCRIPTS, name))
          .map((name) => `customScripts.${name}`)
      : []
  const names = ['customScripts', 'configuration'].filter((name) => Object.keys(objectIn(options[name])).length > 0)
  return [...names, ...['import_mode', 'enable_script_context'].filter((name) => options[name] === true)]
}

const isIn = (list: readonly string[], name: string): boolean => list.includes(name)

export type CustomDatabase = DatabaseConnection & {
  settings: { options: { enabledDatabaseCustomization: true } }
}

export const isCustom = (connection: DatabaseConnection): connection is CustomDatabase =>
  connection.settings.options.enabledDatabaseCustomization

/** The scripts check every login, and this server stores no password. */
export const authenticatesByScript = (connection: DatabaseConnection): connection is CustomDatabase =>
  isCustom(connection) && !connection.settings.options.import_mode

/** Whether people can have a link for a new password. */
export const resetsPasswords = (connection: DatabaseConnection): boolean =>
  !connection.settings.options.disable_self_service_change_password &&
  (!authenticatesByScript(connection) || scriptOf(connection, 'change_password') !== undefined)

/** Undefined where the database has no such script, or it has no effect. */
export function scriptOf(connection: DatabaseConnection, name: DatabaseScript): string | undefined {
  const { customScripts, import_mode } = connection.settings.options
  if (!isCustom(connection) || (import_mode && !IMPORTING.includes(name))) return undefined
  return customScripts?.[name]
}
