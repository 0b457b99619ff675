// The authorization code (RFC 6749 4.1.2): 60 seconds, one use, bound to issuer, client, redirect URI and PKCE challenge.
// - It is not stored: it carries its content sealed (AES-256-GCM), so it cannot be read, altered or forged (docs/adr/0013).
// - It names the token family that its redemption creates. One statement redeems a family once (lib/adapters/store/sql/tokens.ts), so one of any number of
//   callers wins, and a replay finds what to revoke (lib/protocols/oauth/grants/authorization-code.ts).
import { addSeconds } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import type { Authentication } from './family'

export const CODE_SECONDS = 60

export type AuthorizationCode = {
  clientId: string
  userId: string
  familyId: string
  /** As sent to /authorize; null if it was omitted because the client has only one (RFC 6749 4.1.3). */
  redirectUri: string | null
  codeChallenge: string | null
  /** The thumbprint of the only key that may redeem it (RFC 9449 10). */
  jkt?: string
  nonce: string | null
  scopes: string[]
  audience: string | null
  sid: string | null
  authentication: Authentication
  /** The family is stored already, with the output of actions: too large for a URL. */
  kept?: true
  issuedAt: Date
}

export const codeEnd = ({ issuedAt }: AuthorizationCode): Date => addSeconds(issuedAt, CODE_SECONDS)

/** One key per issuer: a tenant's codes are invalid at another tenant. */
const purposeOf = (issuer: string): string => `authorization-code ${issuer}`

type WriteDeps = { issuer: string; vault: Vault; random: Random }

export const writeCode = (code: AuthorizationCode, { issuer, vault, random }: WriteDeps): string =>
  vault.sealText(purposeOf(issuer), JSON.stringify(code), random)

/** The content of a code, expired or not; null if this issuer did not write it. */
export function readCode(plain: string, { issuer, vault }: Omit<WriteDeps, 'random'>): AuthorizationCode | null {
  const opened = vault.openText(purposeOf(issuer), plain)
  if (!opened) return null
  const code = JSON.parse(opened) as Omit<AuthorizationCode, 'issuedAt'> & { issuedAt: string }
  return { ...code, issuedAt: new Date(code.issuedAt) }
}
