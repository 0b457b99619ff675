// A connection's secrets: stored sealed with its settings, and opened only for use.
import type { Random } from '../../kernel/random'
import { MASK, type Vault } from '../../kernel/secret'

export const CONNECTION_SECRETS = ['client_secret', 'app_secret'] as const
export type ConnectionSecret = (typeof CONNECTION_SECRETS)[number]

/** Secrets by name, each as base64 of the sealed value. */
export type SealedSecrets = Readonly<Partial<Record<Sealable, string>>>

type Sealable = ConnectionSecret | typeof HEADERS

const HEADERS = 'customHeaders'

const purposeOf = (name: Sealable): string => `connection ${name}`

export const sealSecret = (name: Sealable, plain: string, vault: Vault, random: Random): string =>
  vault.seal(purposeOf(name), plain, random).toString('base64')

export function openSecret(name: Sealable, sealed: SealedSecrets | undefined, vault: Vault): string | null {
  const value = sealed?.[name]
  return value === undefined ? null : (vault.open(purposeOf(name), Buffer.from(value, 'base64'))?.toString() ?? null)
}

type Headers = Readonly<Record<string, string>>

/** Request headers may carry a key, so all values are sealed together. In the settings a mask stands for each. */
export function sealHeaders(
  given: Headers,
  before: SealedSecrets | undefined,
  vault: Vault,
  random: Random,
): { shown: Headers; customHeaders?: string } {
  const known = openHeaders(before, vault)
  const meant = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    const plain = value === MASK ? known[name] : value
    return plain === undefined ? [] : [[name, plain]]
  })
  const shown = Object.fromEntries(meant.map(([name]) => [name, MASK]))
  if (meant.length === 0) return { shown }
  const text = JSON.stringify(Object.fromEntries(meant))
  const kept = openSecret(HEADERS, before, vault) === text ? before?.[HEADERS] : undefined
  return { shown, customHeaders: kept ?? sealSecret(HEADERS, text, vault, random) }
}

export const openHeaders = (sealed: SealedSecrets | undefined, vault: Vault): Headers =>
  JSON.parse(openSecret(HEADERS, sealed, vault) ?? '{}') as Headers
