import type {
  CaptchaView,
  ClientView,
  ExtraFieldView,
  NoticeCode,
  PasskeyView,
  PasswordRuleView,
} from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import type { Locale } from '../../lib/text/locale'
import { AuthCard } from '../auth-card'
import { CaptchaField } from '../captcha-field'
import { CheckField } from '../check-field'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CAPTCHAS, SAMPLE_CLIENT, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { leadOf } from '../lead'
import { NOTICE_ID, Notice, type NoticeField } from '../notice'
import { PasskeyCeremony } from '../passkey-ceremony'
import { PasswordField } from '../password-field'
import { generatorRules, PASSWORD_RULES_ID, PasswordRules } from '../password-rules'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Posts: state, email, username (where present), password, the extra fields, action=sign-up|cancel; or passkey_session and
 * passkey_response in place of the password, action=sign-up-passkey.
 */
type SignUpView = {
  action: string
  state: string
  client: ClientView
  /** The tenant's logins ask for the identifier first. */
  identifierFirst?: true
  /** The name of the organization that the login is for. */
  organization?: string
  /** Who invited the person to it. */
  inviter?: string
  email?: string
  /** The address is that of an invitation. */
  isEmailFixed?: boolean
  /** The field is shown where this is present; empty before input. */
  username?: string
  rules: PasswordRuleView[]
  extra: ExtraFieldView[]
  notice?: NoticeCode
  /** Names of the fields that the notice is about. */
  invalid: string[]
  /** The tenant's own text, in place of the notice's text. */
  words?: string
  termsUrl?: string
  privacyUrl?: string
  loginUrl: string
  /** Absent where none is demanded. */
  captcha?: CaptchaView
  /** Absent where the connection offers none. */
  passkey?: PasskeyView
  cancel: boolean
}

type Action = 'sign-up' | 'sign-up-passkey' | 'cancel'

const SIGN_UP: Action = 'sign-up'
const SIGN_UP_PASSKEY: Action = 'sign-up-passkey'
const CANCEL: Action = 'cancel'
const MAX_LENGTH = 500

const titleOf = ({ inviter }: SignUpView, t: Translate): string =>
  t(inviter === undefined ? 'signup.title' : 'signup.title_invited')

function SignUpScreen({ view, t }: ScreenProps<SignUpView>) {
  const { client, notice, invalid, locale } = view
  const about = fieldsOf(view, locale, t).filter(({ name }) => invalid.includes(name))
  return (
    <AuthCard title={titleOf(view, t)} lead={leadOf(view, t)} picture={<ClientLogo client={client} />}>
      <Notice notice={notice} words={view.words} fields={about} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <Credentials view={view} t={t} />
        {view.extra.map((field) => (
          <ExtraField
            key={field.name}
            {...field}
            label={labelIn(field, locale)}
            errorId={errorIdOf(view, field.name)}
            t={t}
          />
        ))}
        <Legal view={view} t={t} />
        <CaptchaField captcha={view.captcha} theme={view.theme} action={SIGN_UP} notice={notice} t={t} />
        <div className="form-actions">
          <SubmitButton value={SIGN_UP}>{t('signup.submit')}</SubmitButton>
          {view.passkey && (
            <PasskeyCeremony
              passkey={view.passkey}
              does="create"
              action={SIGN_UP_PASSKEY}
              label={t('passkey.sign_up')}
              t={t}
            />
          )}
          {view.cancel && (
            <SubmitButton value={CANCEL} look="quiet" skipValidation>
              {t('common.cancel')}
            </SubmitButton>
          )}
        </div>
      </TransactionForm>
      <p className="card-foot">
        <span>
          {t('signup.have_account')} <TextLink href={view.loginUrl}>{t('login.title')}</TextLink>
        </span>
      </p>
    </AuthCard>
  )
}

/** A password manager stores the name that signs in: the username where there is one. */
function Credentials({ view, t }: { view: SignUpView; t: Translate }) {
  const focus = firstField(view)
  return (
    <>
      <TextField
        name="email"
        label={t('login.identifier.email')}
        autoComplete={view.username === undefined ? 'username' : 'email'}
        inputMode="email"
        defaultValue={view.email}
        readOnly={view.isEmailFixed}
        autoFocus={focus === 'email'}
        errorId={errorIdOf(view, 'email')}
      />
      {view.username !== undefined && (
        <TextField
          name="username"
          label={t('login.identifier.username')}
          autoComplete="username"
          defaultValue={view.username}
          autoFocus={focus === 'username'}
          errorId={errorIdOf(view, 'username')}
        />
      )}
      <div className="field-group">
        <PasswordField
          autoComplete="new-password"
          passwordRules={generatorRules(view.rules)}
          hintId={PASSWORD_RULES_ID}
          autoFocus={focus === 'password'}
          errorId={errorIdOf(view, 'password')}
          t={t}
        />
        <PasswordRules rules={view.rules} t={t} />
      </div>
    </>
  )
}

type ExtraProps = Omit<ExtraFieldView, 'label'> & { label: string; errorId: string | undefined; t: Translate }

function ExtraField({ type, name, label, required, value, errorId, t }: ExtraProps) {
  const shared = { name, required, errorId }
  if (type === 'checkbox') return <CheckField {...shared} label={label} checked={value === 'true'} />
  return (
    <TextField
      {...shared}
      label={required ? label : t('signup.optional', { label })}
      maxLength={MAX_LENGTH}
      defaultValue={value}
      autoComplete="off"
    />
  )
}

const labelIn = ({ name, label }: ExtraFieldView, locale: Locale): string =>
  typeof label === 'string' ? label : (label[locale] ?? label.en ?? name)

function Legal({ view: { termsUrl, privacyUrl }, t }: { view: SignUpView; t: Translate }) {
  if (!termsUrl && !privacyUrl) return null
  return (
    <p className="legal">
      <span className="legal-lead">{t('signup.legal')}</span>
      <TextLink href={termsUrl}>{t('signup.terms')}</TextLink>
      <TextLink href={privacyUrl}>{t('signup.privacy')}</TextLink>
    </p>
  )
}

const errorIdOf = ({ invalid }: SignUpView, name: string): string | undefined =>
  invalid.includes(name) ? NOTICE_ID : undefined

/** The field with the initial focus: the first invalid field, else the first empty field. */
function firstField({ email, username, invalid }: SignUpView): string | undefined {
  const wrong = invalid[0]
  if (wrong !== undefined) return wrong
  if (!email) return 'email'
  return username === '' ? 'username' : 'password'
}

const fieldsOf = (view: SignUpView, locale: Locale, t: Translate): NoticeField[] => [
  { name: 'email', label: t('login.identifier.email') },
  { name: 'username', label: t('login.identifier.username') },
  { name: 'password', label: t('login.password') },
  ...view.extra.map((field) => ({ name: field.name, label: labelIn(field, locale) })),
]

const SAMPLE: SignUpView = {
  ...SAMPLE_FORM,
  client: SAMPLE_CLIENT,
  email: 'ada@example.com',
  username: '',
  rules: [{ rule: 'length', count: 8 }, { rule: 'common', unmet: true }, { rule: 'personal' }],
  extra: [
    { name: 'field_city', label: { en: 'City', de: 'Ort' }, type: 'text', required: false },
    { name: 'field_news', label: 'Send me news', type: 'checkbox', required: true, value: 'true' },
  ],
  invalid: ['password', 'field_news'],
  notice: 'weak_password',
  termsUrl: 'https://example.com/terms',
  privacyUrl: 'https://example.com/privacy',
  loginUrl: '/u/login?state=the-state',
  cancel: true,
}

export const screen = defineScreen<SignUpView>({
  title: titleOf,
  component: SignUpScreen,
  passkeys: ({ passkey }) => passkey !== undefined,
  captcha: ({ captcha }) => captcha,
  samples: [
    SAMPLE,
    { ...SAMPLE, rules: [], extra: [], invalid: [], identifierFirst: true },
    { ...SAMPLE, organization: 'Acme', inviter: 'Grace Hopper', isEmailFixed: true },
    { ...SAMPLE, invalid: [], notice: 'captcha_missing', captcha: SAMPLE_CAPTCHAS[0] },
    { ...SAMPLE, passkey: { session: 's', challenge: 'c', options: '{}' } },
  ],
})
