// A connection's secrets: stored sealed with its settings, and opened only for use.
import { ownMember } from '../../../kernel/json'
import type { Random } from '../../../kernel/random'
import { MASK, type Vault } from '../../../kernel/secret'

export const CONNECTION_SECRETS = ['client_secret', 'app_secret'] as const
export type ConnectionSecret = (typeof CONNECTION_SECRETS)[number]

/** Secrets by name, each as base64 of the sealed value. */
export type SealedByName = Readonly<Partial<Record<Sealable, string>>>

/** Objects of which each value may be a secret: headers of requests, and the `configuration` of scripts. */
export type SealedObject = 'customHeaders' | 'configuration'

type Sealable = ConnectionSecret | SealedObject

const purposeOf = (name: Sealable): string => `connection ${name}`

export const sealSecret = (name: Sealable, plain: string, vault: Vault, random: Random): string =>
  vault.seal(purposeOf(name), plain, random).toString('base64')

export function openSecret(name: Sealable, sealed: SealedByName | undefined, vault: Vault): string | null {
  const value = sealed?.[name]
  return value === undefined ? null : (vault.open(purposeOf(name), Buffer.from(value, 'base64'))?.toString() ?? null)
}

type Values = Readonly<Record<string, string>>

/** All values of the object are sealed together. In the settings a mask stands for each; a mask that is given keeps the stored value. */
export function sealValues(
  name: SealedObject,
  given: Values,
  before: SealedByName | undefined,
  vault: Vault,
  random: Random,
): { shown: Values; sealed: SealedByName } {
  const known = openValues(name, before, vault)
  const meant = Object.entries(given).flatMap(([key, value]): [string, string][] => {
    const plain = value === MASK ? ownMember(known, key) : value
    return plain === undefined ? [] : [[key, plain]]
  })
  const shown = Object.fromEntries(meant.map(([key]) => [key, MASK]))
  if (meant.length === 0) return { shown, sealed: {} }
  const text = textOf(Object.fromEntries(meant))
  const kept = textOf(known) === text ? before?.[name] : undefined
  return { shown, sealed: { [name]: kept ?? sealSecret(name, text, vault, random) } }
}

/** The same for the same values: a database may give them in another order. */
const textOf = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))))

export const openValues = (name: SealedObject, sealed: SealedByName | undefined, vault: Vault): Values =>
  JSON.parse(openSecret(name, sealed, vault) ?? '{}') as Values
