// The type of a step of a login: what must hold, and the pages on which the user makes it hold. Each step is one file, listed in
// index.ts (docs/adr/0064-factors-and-login-steps.md).
import type { CaptchaUse } from '../../identity/captcha/demand'
import { DomainError, type ErrorCode } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import type { LoginScreen, ViewOf } from '../../pages/screens'
import type { CaptchaView, ClientView, NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { FormAction } from '../forms/action'
import type { LoginState } from '../login-state'
import type { LoginTransaction } from '../transaction'

export type LoginStep = {
  /** What holds once the step is done. */
  name: string
  unmet(state: LoginState): boolean
  /** Missing where no page can meet the requirement: the login is refused. The first is the default. */
  pages?: readonly [LoginPage, ...LoginPage[]]
  /** The screens of the pages that may be shown now, the default first, where these are not all of them in order. */
  screens?(state: LoginState): readonly LoginScreen[]
  /** With prompt=none, and where the step has no page. */
  refusal: StepRefusal | ((state: LoginState) => StepRefusal)
}

/** A page of a step: its data, and what the user can submit there. Pages get plain data; they know neither protocol nor store. */
export type LoginPage<Screen extends LoginScreen = LoginScreen> = {
  screen: Screen
  view(at: PageContext): ViewOf<Screen>
  actions: readonly FormAction[]
}

export type StepPageDeps = Pick<
  LoginDeps,
  'settings' | 'vault' | 'tenantId' | 'tickets' | 'random' | 'clock' | 'baseUrl' | 'relyingPartyId'
>

export type PageContext = {
  state: LoginState
  transaction: LoginTransaction
  /** What each view has. */
  shared: { action: string; state: string; client: ClientView; notice?: NoticeCode }
  /** The organization of the login, and who invited the user to it. */
  forOrganization: { organization?: string; inviter?: string }
  captchaOf(use: CaptchaUse): { captcha?: CaptchaView }
  urlOf(screen: LoginScreen): string
  deps: StepPageDeps
}

/** `reason` is for the log; the default is the code. */
export type StepRefusal = { code: ErrorCode; description: string; reason?: Reason }

export const refusalOf = ({ refusal }: LoginStep, state: LoginState): StepRefusal =>
  typeof refusal === 'function' ? refusal(state) : refusal

export const refusalError = ({ code, description, reason }: StepRefusal): DomainError =>
  new DomainError(code, description, reason === undefined ? {} : { reason })

export const errorOf = (step: LoginStep, state: LoginState): DomainError => refusalError(refusalOf(step, state))

/** The vendor's sentence; its SDKs compare it. */
export const MULTI_FACTOR = {
  code: 'login_required',
  description: 'Multifactor authentication required',
  reason: 'mfa_required',
} as const
