// RequestedAuthnContext (SAML Core 3.3.2.2.1): the authentication that a request requires, and the class that the assertion
// states. Pure.
// - The operator's `authnContextClassRef` always wins; otherwise a requested class that holds, or `unspecified`.
// - Every login counts as a password over TLS. A second factor has the class names that are in common use for it.

import type { RequestedContexts } from '../../crypto/saml/read'
import { type SamlSettings, UNSPECIFIED_CONTEXT } from '../../data/clients/saml'
import type { Evidence } from '../../data/sessions/session'
import { MULTI_FACTOR_ACR, SINGLE_FACTOR_ACR } from '../../identity/mfa/acr'

const context = (name: string): string => `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`

const REFEDS_MFA = 'https://refeds.org/profile/mfa'

const TWO_FACTORS = 3

/** A stronger class has a higher number. */
const STRENGTH = new Map([
  [UNSPECIFIED_CONTEXT, 0],
  [context('Password'), 1],
  [SINGLE_FACTOR_ACR, 2],
  [REFEDS_MFA, TWO_FACTORS],
  [MULTI_FACTOR_ACR, TWO_FACTORS],
  ['http://schemas.microsoft.com/claims/multipleauthn', TWO_FACTORS],
])

const strengthsOf = ({ classes }: RequestedContexts): number[] => classes.flatMap((name) => STRENGTH.get(name) ?? [])

/** Whether the request can only be met by a second factor. */
export function needsSecondFactor(requested: RequestedContexts | null): boolean {
  const strengths = requested ? strengthsOf(requested) : []
  if (!requested || strengths.length === 0) return false
  if (requested.comparison === 'better') return Math.max(...strengths) === TWO_FACTORS - 1
  return requested.comparison !== 'maximum' && Math.min(...strengths) === TWO_FACTORS
}

/** The class that the assertion states; null where the authentication does not meet the request. */
export function contextClassOf(
  requested: RequestedContexts | null,
  { authnContextClassRef: configured }: SamlSettings,
  evidence: readonly Evidence[],
): string | null {
  if (configured !== UNSPECIFIED_CONTEXT || !requested) return configured
  if (requested.classes.length === 0) return requested.declarations ? null : configured
  const proven = evidence.some(({ method }) => method === 'mfa') ? TWO_FACTORS : 2
  const strongest = proven === TWO_FACTORS ? REFEDS_MFA : SINGLE_FACTOR_ACR
  const strengths = strengthsOf(requested)
  const met = requested.classes.filter((name) => (STRENGTH.get(name) ?? Number.POSITIVE_INFINITY) <= proven)
  switch (requested.comparison) {
    case 'exact':
      return met[0] ?? null
    case 'minimum':
      return met.find((name) => STRENGTH.get(name) === proven) ?? (met.length > 0 ? strongest : null)
    case 'better':
      return strengths.length > 0 && proven > Math.max(...strengths) ? strongest : null
    case 'maximum':
      return met.at(-1) ?? null
  }
}
