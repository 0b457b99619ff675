// What the pages of second factors keep in the transaction from one request to the next: which factor is asked, what is
// being enrolled, and the recovery code until its owner has kept it.
// - A secret that a page has to show again (the key of an authenticator app, a recovery code) is sealed; it goes as soon
//   as the step is over (threat-model.md MF4, MF6).
// - None of it proves anything: what counts is judged by lib/mfa/prove.ts.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { Enrolment } from '../../mfa/enroll'
import type { FactorName } from '../../mfa/policy'

export type MfaDraft = {
  /** Id of the authenticator that the person chose, and the question that is open there (its digest, base64url). */
  using?: string
  question?: string
  enrolling?: Enrolling
  /** Sealed; there until the person says that it is kept. */
  recoveryCode?: string
  /** No second factor in this browser for a while. */
  remember?: true
}

export type Enrolling = {
  factor: FactorName
  /** As it was typed, while it is asked for. */
  phone?: string
  /** Sealed `Shown`, once something waits to be confirmed. */
  shown?: string
  question?: string
}

/** What the enrolment pages show. */
type Shown = { name?: string; secret?: string; uri?: string; recoveryCode?: string }

type SealDeps = { vault: Vault; random: Random }

const PURPOSE = 'mfa-draft'

export const sealed = (text: string, { vault, random }: SealDeps): string =>
  vault.seal(PURPOSE, text, random).toString('base64url')

export const opened = (text: string, { vault }: Pick<SealDeps, 'vault'>): string | null =>
  vault.open(PURPOSE, Buffer.from(text, 'base64url'))?.toString() ?? null

export function enrollingOf(enrolment: Enrolment, factor: FactorName, name: string | null, deps: SealDeps): Enrolling {
  const { secret, barcodeUri, recoveryCode, challenge } = enrolment
  const shown: Shown = {
    ...(name === null ? {} : { name }),
    ...(secret === undefined ? {} : { secret }),
    ...(barcodeUri === undefined ? {} : { uri: barcodeUri }),
    ...(recoveryCode === undefined ? {} : { recoveryCode }),
  }
  return {
    factor,
    shown: sealed(JSON.stringify(shown), deps),
    ...(challenge === undefined ? {} : { question: questionId(challenge.digest) }),
  }
}

export function shownOf({ shown }: Enrolling, deps: Pick<SealDeps, 'vault'>): Shown | null {
  const text = shown === undefined ? null : opened(shown, deps)
  return text === null ? null : (JSON.parse(text) as Shown)
}

export const questionId = (digest: Uint8Array): string => Buffer.from(digest).toString('base64url')
export const questionDigest = (id: string): Uint8Array => Buffer.from(id, 'base64url')
