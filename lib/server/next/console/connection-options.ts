// What the forms of connections derive from: the options of each strategy, without those that have no use there.
import * as z from 'zod'
import { connectionName, isStrategy, STRATEGIES, type Strategy, settingsOf } from '../../../data/connections/connection'
import { DATABASE } from '../../../data/connections/database-options'
import { isEnterprise } from '../../../data/connections/enterprise'
import { SAMLP } from '../../../data/connections/saml-options'
import { isProvider, providerOf } from '../../../data/connections/upstream/providers'
import { unusedOptions } from '../../../data/connections/upstream/unused-options'
import { ADFS } from '../../../data/connections/wsfed-options'
import { mergeObjects, objectIn } from '../../../kernel/json'
import { connections } from '../../../management/resources/connections'
import { isConsoleKey, say } from '../../../text/console'
import { bodyOf } from './form'

/** Options in whose company others have a use. */
const COMPANY = [
  {},
  { token_endpoint_auth_method: 'private_key_jwt', useOauthSpecScope: false },
  { waad_protocol: 'ws-federation' },
] as const

export const hasUse = (strategy: Strategy, option: string): boolean =>
  COMPANY.some((others) => !unusedOptions(strategy, { ...others, [option]: 'set' }).includes(option))

const secret = z.string().meta({
  title: 'Client secret',
  help: 'Of this server at the provider.',
  secret: true,
  group: 'provider',
  order: 201.5,
})
const signingKey = z.string().meta({
  title: 'Private key',
  help: 'The file that the provider gave you, as PEM.',
  secret: true,
  multiline: true,
  group: 'provider',
  order: 210,
})

const secretsOf = (strategy: Strategy): z.ZodRawShape => {
  const auth = providerOf(strategy)?.auth
  if (auth === undefined) return {}
  return auth === 'signed' ? { app_secret: signingKey.optional() } : { client_secret: secret.optional() }
}

/** The body of a connection; undefined of a strategy that this release does not have: then its options are JSON. */
export function connectionBody(strategy: string): z.ZodObject | undefined {
  const body = bodyOf(connections.update)
  if (!isStrategy(strategy) || !(body instanceof z.ZodObject)) return undefined
  const { options, ...settings } = settingsOf(strategy).shape as Record<string, z.ZodType>
  const known = (options as z.ZodPrefault<z.ZodObject>).unwrap().shape as Record<string, z.ZodType>
  const used = Object.entries(known).filter(([name]) => hasUse(strategy, name))
  return z.looseObject({
    ...settings,
    ...(body.shape as z.ZodRawShape),
    options: z.looseObject({ ...Object.fromEntries(used), ...secretsOf(strategy) }),
  })
}

/** Those of every strategy: a setting may be of any. */
export const connectionBodies = (): (z.ZodObject | undefined)[] => STRATEGIES.map(connectionBody)

/** The same with its name, which a connection keeps. */
export const newConnectionBody = (strategy: string): z.ZodObject | undefined =>
  connectionBody(strategy)?.extend({ name: connectionName })

type Shown = { strategy: string; options?: unknown; show_as_button?: unknown }

/** With what holds where an option is not set, because a switch shows what counts. */
export function withEffective<Connection extends Shown>(connection: Connection) {
  const { strategy } = connection
  const options = objectIn(connection.options)
  if (!isStrategy(strategy)) return connection
  const schema = (settingsOf(strategy).shape as { options: z.ZodPrefault<z.ZodObject> }).options.unwrap()
  const parsed = schema.safeParse(options).data ?? {}
  const unset = {
    ...(strategy === SAMLP && { signSAMLRequest: true }),
    ...(isProvider(strategy) && { useOauthSpecScope: true, send_back_channel_nonce: true }),
  }
  return {
    ...connection,
    show_as_button: connection.show_as_button ?? !isEnterprise({ strategy }),
    options: mergeObjects({ ...unset, ...objectIn(parsed) }, options),
  }
}

type KindGroup = 'accounts' | 'enterprise' | 'social'

/** The kinds of connections, as a person looks for them. */
export function connectionKinds(): Readonly<Record<KindGroup, readonly Strategy[]>> {
  const own: readonly Strategy[] = [DATABASE, 'email', 'sms']
  const others = STRATEGIES.filter((strategy) => !own.includes(strategy))
  return {
    accounts: own,
    enterprise: others.filter((strategy) => isOfEnterprise(strategy)),
    social: others.filter((strategy) => !isOfEnterprise(strategy)),
  }
}

const isOfEnterprise = (strategy: Strategy): boolean =>
  strategy === ADFS || strategy === 'oauth2' || isEnterprise({ strategy })

export function kindName(strategy: string): string {
  const key = `connections.kind.${strategy}`
  return isConsoleKey(key) ? say(key) : (providerOf(strategy)?.name ?? strategy)
}

/** The groups of members that a new connection is asked for; all others have a value that works. */
export const NEW_GROUPS: readonly string[] = ['provider', 'identity', 'endpoints']
