// A connection's secrets: stored sealed with its settings, and opened only for use.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

export const CONNECTION_SECRETS = ['client_secret', 'app_secret'] as const
export type ConnectionSecret = (typeof CONNECTION_SECRETS)[number]

/** Secrets by name, each as base64 of the sealed value. */
export type SealedSecrets = Readonly<Partial<Record<ConnectionSecret, string>>>

const purposeOf = (name: ConnectionSecret): string => `connection ${name}`

export const sealSecret = (name: ConnectionSecret, plain: string, vault: Vault, random: Random): string =>
  vault.seal(purposeOf(name), plain, random).toString('base64')

export function openSecret(name: ConnectionSecret, sealed: SealedSecrets | undefined, vault: Vault): string | null {
  const value = sealed?.[name]
  return value === undefined ? null : (vault.open(purposeOf(name), Buffer.from(value, 'base64'))?.toString() ?? null)
}
