// The view data of sign-up and of the password reset request.

import { policyOf } from '../../data/users/password-policy'
import type { ViewOf } from '../../pages/screens'
import type { ExtraFieldView, NoticeCode, PasskeyView } from '../../pages/view'
import { databaseChoices, databaseOf } from '../steps/database'
import { passwordHints } from '../steps/password-hints'
import type { LoginState } from '../steps/requirements'
import { extraFieldName } from '../steps/sign-up-form'
import { databaseView } from '../steps/ways-in'
import type { SignUpDraft } from '../transaction'

type Shared = Pick<ViewOf<'signup'>, 'action' | 'state' | 'client' | 'organization' | 'inviter' | 'captcha'> & {
  notice?: NoticeCode
}
const NOTHING_TYPED: SignUpDraft = { username: '', extra: {}, invalid: [], broken: [] }

export function signUpView(
  state: LoginState,
  shared: Shared,
  loginUrl: string,
  passkey: PasskeyView | null,
): ViewOf<'signup'> {
  const { options } = databaseOf(state).settings
  const { identifier, signUp = NOTHING_TYPED } = state.decisions
  // Errors are shown only together with the notice, not when the user returns to the page later.
  const flaws = shared.notice === undefined ? NOTHING_TYPED : signUp
  return {
    ...shared,
    screen: 'signup',
    ...(state.identifierFirst ? { identifierFirst: true as const } : {}),
    ...(state.invitation
      ? { email: state.invitation.email, isEmailFixed: true }
      : identifier === undefined
        ? {}
        : { email: identifier }),
    ...(options.requires_username ? { username: signUp.username } : {}),
    rules: passwordHints(policyOf(options), flaws.broken),
    extra: extraFields(options.signup_fields, signUp),
    invalid: flaws.invalid,
    ...(flaws.words === undefined ? {} : { words: flaws.words }),
    ...legalOf(options.signup_terms),
    loginUrl,
    cancel: true,
    ...(passkey === null ? {} : { passkey }),
  }
}

type Options = ReturnType<typeof databaseOf>['settings']['options']

const extraFields = (fields: Options['signup_fields'], { extra }: SignUpDraft): ExtraFieldView[] =>
  fields.map((field) => ({
    name: extraFieldName(field),
    label: field.label,
    type: field.type,
    required: field.required,
    ...(Object.hasOwn(extra, field.name) ? { value: extra[field.name] } : {}),
  }))

const legalOf = ({ terms_url, privacy_url }: Options['signup_terms']) => ({
  ...(terms_url === undefined ? {} : { termsUrl: terms_url }),
  ...(privacy_url === undefined ? {} : { privacyUrl: privacy_url }),
})

export function forgotPasswordView(
  state: LoginState,
  { captcha, notice, ...shared }: Pick<Shared, 'action' | 'state' | 'captcha' | 'notice'>,
  urls: { loginUrl: string; againUrl: string },
): ViewOf<'forgot-password'> {
  const { identifier, resetCodes = [] } = state.decisions
  const choices = databaseChoices(state)
  const shown = { screen: 'forgot-password' as const, action: shared.action, state: shared.state, ...urls }
  const typed = identifier === undefined ? {} : { email: identifier }
  const isAboutCode = notice === 'wrong_code' || notice === 'too_many_codes'
  if (resetCodes.length > 0 && (notice === 'reset_sent' || isAboutCode))
    return { ...shown, ...typed, phase: 'code', ...(isAboutCode ? { notice } : {}) }
  if (notice === 'reset_sent') return { ...shown, ...typed, phase: 'sent' }
  return {
    ...shown,
    ...typed,
    phase: 'ask',
    ...(choices.length > 0 ? { databases: choices.map((each) => databaseView(each, state)) } : {}),
    ...(notice === undefined ? {} : { notice }),
    ...(captcha && { captcha }),
  }
}
