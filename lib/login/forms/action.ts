// The type of a form that a user can submit from a screen. It belongs to the pages that list it (lib/login/steps/step.ts).
// The vendor's Actions are in lib/identity/tenant-code.

import type { Departure } from '../../data/connections/upstream/upstream'
import type { Evidence } from '../../data/sessions/session'
import type { GoodGuess } from '../../data/users/attempts'
import type { RecognizedBrowser } from '../../data/users/recognized-browser'
import type { User } from '../../data/users/user'
import type { CaptchaUse } from '../../identity/captcha/demand'
import type { ErrorCode } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { Reason } from '../../kernel/reasons'
import type { LoginScreen } from '../../pages/screens'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import type { Decisions } from '../transaction'

export type FormResult =
  /**
   * New facts; the requirements are evaluated again. `user` null forgets the signed-in user. `guess` is a correct guess whose
   * attempt counter is still to be settled. `familiar` is the account tag by which the browser will be recognized.
   * `passkeyOffered`: this browser is not asked to create a passkey again for a month.
   */
  | {
      kind: 'progress'
      user?: User | null
      evidence?: Evidence[]
      decisions?: Decisions
      guess?: GoodGuess
      familiar?: Uint8Array
      passkeyOffered?: true
    }
  /** Shows the same screen again, or another one that is due, with a notice if there is one. */
  | {
      kind: 'again'
      notice?: NoticeCode
      decisions: Decisions
      screen?: LoginScreen
      /** The id of an account that this browser no longer remembers. */
      forgotten?: string
    }
  /** Sends the browser to another server, which returns it to this login. */
  | { kind: 'leave'; to: Departure }
  /** The user cancels or may not continue: `access_denied` unless `code` is more specific. */
  | { kind: 'refused'; description: string; reason: Reason; code?: ErrorCode }

/** `login` is the digest of the transaction handle; `browsers` are the recognition values that the browser holds. */
export type FormActionContext = {
  handle: string
  login: Uint8Array
  ip: string
  locale: string
  browsers: readonly RecognizedBrowser[]
  userAgent: string | undefined
  /** This browser was asked to create a passkey in the last month. */
  passkeyOffered: boolean
}

/** An action that a captcha guards: what for, and what the form typed, which the page keeps. */
export type CaptchaGuard = { use: CaptchaUse; draft(state: LoginState, input: Parameters): Decisions }

export type FormAction = {
  /** The value of the button `action`. */
  name: string
  guard?: CaptchaGuard
  run(
    state: LoginState,
    input: Parameters,
    context: FormActionContext,
    deps: LoginDeps,
  ): Promise<FormResult> | FormResult
}

export type GuardedAction = FormAction & { guard: CaptchaGuard }
