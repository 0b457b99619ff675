// The shape of an action: what a person can send from a screen. One file each; the list is in index.ts.
import type { Departure } from '../../connections/upstream/upstream'
import type { Parameters } from '../../http/message'
import type { ErrorCode } from '../../kernel/errors'
import type { NoticeCode } from '../../pages/view'
import type { Evidence } from '../../sessions/session'
import type { GoodGuess } from '../../users/attempts'
import type { RecognizedBrowser } from '../../users/recognized-browser'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'
import type { LoginScreen, LoginState } from '../steps/requirements'
import type { Decisions } from '../transaction'

export type Progress =
  /**
   * New facts; the requirements are judged again. `user` null forgets who was signed in. `guess` is a good
   * one that is still to be settled; `familiar` is what the browser is to be recognized by.
   */
  | {
      kind: 'progress'
      user?: User | null
      evidence?: Evidence[]
      decisions?: Decisions
      guess?: GoodGuess
      familiar?: Uint8Array
    }
  /** The same screen again, or another that is due, saying why where there is a reason to. */
  | { kind: 'again'; notice?: NoticeCode; decisions: Decisions; screen?: LoginScreen }
  /** Away to another server, which sends the person back to this login. */
  | { kind: 'leave'; to: Departure }
  /** The person does not want to go on, or may not: `access_denied` unless another code says more. */
  | { kind: 'refused'; description: string; code?: ErrorCode }

/** `login` is the digest of the login's handle; `browsers` is what the browser is recognized by. */
export type ActionContext = {
  handle: string
  login: Uint8Array
  ip: string
  locale: string
  browsers: readonly RecognizedBrowser[]
}

export type Action = {
  /** Value of the button `action`. */
  name: string
  on: readonly LoginScreen[]
  run(state: LoginState, input: Parameters, context: ActionContext, deps: LoginDeps): Promise<Progress> | Progress
}
