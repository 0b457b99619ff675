// The state of the MFA pages, kept in the transaction between requests: the challenged factor, a pending enrolment, and the
// recovery code until the user has saved it.
// - Secrets that a page must show again (the key of an authenticator app, a recovery code) are encrypted, and removed when the
//   step ends (threat-model.md MF4, MF6).
// - None of it is proof: lib/identity/mfa/prove.ts verifies the answers.

import type { Enrolment } from '../../identity/mfa/enroll'
import type { FactorName } from '../../identity/mfa/factors/index'
import type { FactorAnswer } from '../../identity/mfa/prove'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

export type MfaDraft = {
  /** The id of the authenticator that the user chose, and its pending challenge (its digest, base64url). */
  using?: string
  question?: string
  enrolling?: Enrolling
  /** Encrypted; present until the user confirms that it is saved. */
  recoveryCode?: string
  /** The user wants this browser remembered for a while. */
  remember?: true
}

export type Enrolling = {
  factor: FactorName
  /** The number as typed, while the page asks for it. */
  phone?: string
  /** Encrypted `Shown`, once an enrolment waits for confirmation. */
  shown?: string
  question?: string
}

/** What the enrolment pages show. */
type Shown = { name?: string; secret?: string; uri?: string; recoveryCode?: string }

type SealDeps = { vault: Vault; random: Random }

/** What outlasts a step, if another factor has to be proven after it. */
export const outlastingDraft = ({ recoveryCode, remember }: MfaDraft = {}): MfaDraft => ({
  ...(recoveryCode === undefined ? {} : { recoveryCode }),
  ...(remember === undefined ? {} : { remember }),
})

const PURPOSE = 'mfa-draft'

export const sealDraftText = (text: string, { vault, random }: SealDeps): string =>
  vault.sealText(PURPOSE, text, random)

export const openDraftText = (text: string, { vault }: Pick<SealDeps, 'vault'>): string | null =>
  vault.openText(PURPOSE, text)

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
    shown: sealDraftText(JSON.stringify(shown), deps),
    ...(challenge === undefined ? {} : { question: questionId(challenge.digest) }),
  }
}

export function shownOf({ shown }: Enrolling, deps: Pick<SealDeps, 'vault'>): Shown | null {
  const text = shown === undefined ? null : openDraftText(shown, deps)
  return text === null ? null : (JSON.parse(text) as Shown)
}

export const questionId = (digest: Uint8Array): string => Buffer.from(digest).toString('base64url')
export const questionDigest = (id: string): Uint8Array => Buffer.from(id, 'base64url')

/** What a page sends: a code, or the response of the browser. */
type Sent = { code?: string; passkey_session?: string; passkey_response?: string }

/** The answer of a page to the pending challenge. */
export const answerTo = (
  { question }: Pick<MfaDraft, 'question'>,
  { code, passkey_session: session, passkey_response: response }: Sent,
): FactorAnswer => ({
  challenge: question === undefined ? undefined : questionDigest(question),
  answer: response ? JSON.stringify({ session, response }) : code,
})
