// Second factors among the proofs of a login. A factor is valid as long as the proof it completes: a new sign-in needs a new one.
import type { Evidence } from '../../data/sessions/session'

export const hasMfa = (evidence: readonly Evidence[]): boolean => evidence.some(({ method }) => method === 'mfa')

/** Whether a factor was proven in this login, and not only in the session or the token family that it continues. */
export const hasFreshMfa = (evidence: readonly Evidence[]): boolean =>
  evidence.some(({ method, inherited }) => method === 'mfa' && !inherited)

/** Whether a factor of one of these types was proven; null stands for any type. A proof of unknown type meets only that. */
export const provesFactor = (evidence: readonly Evidence[], types: readonly string[] | null): boolean =>
  types === null ? hasMfa(evidence) : evidence.some(({ factor }) => factor !== undefined && types.includes(factor))

/** The proofs with the second factor added; `factor` is the vendor's type. */
export function withMfa(evidence: readonly Evidence[], factor: string, now: Date): Evidence[] {
  const last = evidence.at(-1)
  if (!last) throw new Error('a second factor completes a proof')
  return [...evidence, { method: 'mfa', at: now.toISOString(), connection: last.connection, factor }]
}
