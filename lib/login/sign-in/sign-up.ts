// The page of a sign-up. Errors are shown only together with the notice, not when the user returns to the page later.
import { policyOf } from '../../data/users/password-policy'
import type { ViewOf } from '../../pages/screens'
import type { ExtraFieldView } from '../../pages/view'
import { databaseOf } from '../flow/database'
import { signUpByPasskeyView } from '../flow/passkey'
import { passwordHints } from '../flow/password-hints'
import { extraFieldName } from '../flow/sign-up-form'
import { cancel } from '../forms/cancel'
import { withCodeByMail } from '../forms/captcha'
import { createAccountWithPasskey } from '../forms/passkey'
import { createAccount } from '../forms/sign-up'
import type { LoginPage, PageContext } from '../steps/step'
import type { SignUpDraft } from '../transaction'

export const signUpPage: LoginPage<'signup'> = {
  screen: 'signup',
  view: viewOf,
  actions: [...withCodeByMail(createAccount), createAccountWithPasskey, cancel],
}

const NOTHING_TYPED: SignUpDraft = { username: '', extra: {}, invalid: [], broken: [] }

function viewOf({
  state,
  transaction,
  shared,
  forOrganization,
  captchaOf,
  urlOf,
  deps,
}: PageContext): ViewOf<'signup'> {
  const { options } = databaseOf(state).settings
  const { identifier, signUp = NOTHING_TYPED } = state.decisions
  const flaws = shared.notice === undefined ? NOTHING_TYPED : signUp
  const passkey = signUpByPasskeyView(state, transaction.handleDigest, deps)
  return {
    ...shared,
    ...forOrganization,
    ...captchaOf('sign_up'),
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
    loginUrl: urlOf('login'),
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
