// The authorization code (RFC 6749 4.1.2): 60 seconds, one use, bound to issuer, client, redirect URI and PKCE challenge.
// - It is stored nowhere: what it stands for travels in it, sealed (AES-256-GCM), so nobody reads, alters or makes one
//   (docs/adr/0013).
// - It names the token family that redeeming it gives birth to. A family is redeemed once, decided by one statement
//   (family.ts), so of many callers one wins and a replay always finds what to revoke.
import { addSeconds } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import type { Authentication } from './family'

export const CODE_SECONDS = 60

export type AuthorizationCode = {
  clientId: string
  userId: string
  familyId: string
  /** As it was sent to /authorize; null where the client's only one was meant (RFC 6749 4.1.3). */
  redirectUri: string | null
  codeChallenge: string | null
  nonce: string | null
  scopes: string[]
  audience: string | null
  sid: string | null
  authentication: Authentication
  /** The family is there already, and holds what actions had to say: too much for an address. */
  kept?: true
  issuedAt: Date
}

export const codeEnd = ({ issuedAt }: AuthorizationCode): Date => addSeconds(issuedAt, CODE_SECONDS)

/** A key for each issuer: a tenant's codes open nothing at another. */
const purposeOf = (issuer: string): string => `authorization-code ${issuer}`

type WriteDeps = { issuer: string; vault: Vault; random: Random }

export const writeCode = (code: AuthorizationCode, { issuer, vault, random }: WriteDeps): string =>
  vault.seal(purposeOf(issuer), JSON.stringify(code), random).toString('base64url')

/** What a code stands for, over or not; null when it is not one of this issuer's. */
export function readCode(plain: string, { issuer, vault }: Omit<WriteDeps, 'random'>): AuthorizationCode | null {
  const opened = vault.open(purposeOf(issuer), Buffer.from(plain, 'base64url'))
  if (!opened) return null
  const code = JSON.parse(opened.toString()) as Omit<AuthorizationCode, 'issuedAt'> & { issuedAt: string }
  return { ...code, issuedAt: new Date(code.issuedAt) }
}
