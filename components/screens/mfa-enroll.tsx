import type { ClientView, FactorKind, FactorOccasionView, NoticeCode, PasskeyView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { CODE_FIELD, CodeField } from '../code-field'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { FactorChoice } from '../factor-choice'
import { FACTOR_PAGES } from '../factor-pages'
import { errorIdOf, Notice } from '../notice'
import { PasskeyCeremony } from '../passkey-ceremony'
import { QrCode } from '../qr-code'
import { SecretText } from '../secret-text'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Posts: state, factor, phone, action=mfa-enroll; state, code or passkey_session and passkey_response, action=mfa-confirm; or state,
 * action=mfa-other|cancel. `push` waits for the device; its form is mfa-confirm without a code.
 */
type MfaEnrollView = {
  action: string
  state: string
  client: ClientView
  notice?: NoticeCode
  /** Whether another factor is available. */
  other: boolean
  cancel: boolean
  /** Outside a login: when the factor will be asked for. */
  occasion?: FactorOccasionView
} & (
  | { phase: 'choose'; factors: FactorKind[] }
  | { phase: 'phone'; kind: FactorKind; phone?: string }
  | { phase: 'otp'; uri: string; secret: string }
  | { phase: 'code'; kind: FactorKind; name: string }
  | { phase: 'push'; uri: string; answered: boolean }
  | { phase: 'key'; kind: FactorKind; passkey: PasskeyView }
  | { phase: 'done'; continueUrl?: string }
)

type Action = 'mfa-enroll' | 'mfa-confirm' | 'mfa-other' | 'cancel'

const ENROLL: Action = 'mfa-enroll'
const CONFIRM: Action = 'mfa-confirm'
const OTHER: Action = 'mfa-other'
const CANCEL: Action = 'cancel'
const PHONE_HINT = 'phone-hint'

type Phase<P> = Extract<MfaEnrollView, { phase: P }>
type Props<P = MfaEnrollView['phase']> = { view: Phase<P>; t: Translate }

function MfaEnrollScreen({ view, t }: { view: MfaEnrollView; t: Translate }) {
  switch (view.phase) {
    case 'choose':
      return <Choose view={view} t={t} />
    case 'phone':
      return <Phone view={view} t={t} />
    case 'otp':
      return <App view={view} t={t} />
    case 'code':
      return <Code view={view} t={t} />
    case 'push':
      return <Device view={view} t={t} />
    case 'key':
      return <Key view={view} t={t} />
    case 'done':
      return <Done view={view} t={t} />
  }
}

const Choose = ({ view, t }: Props<'choose'>) => (
  <AuthCard title={t('enroll.title')} lead={t('enroll.lead')}>
    <Notice notice={view.notice} t={t} />
    <Occasion view={view} t={t} />
    <ul className="choices">
      {view.factors.map((kind) => (
        <li key={kind}>
          <FactorChoice
            action={view.action}
            fields={{ state: view.state, factor: kind }}
            value={ENROLL}
            kind={kind}
            detail={hintOf(kind, t)}
            t={t}
          />
        </li>
      ))}
    </ul>
    {view.cancel && (
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <SubmitButton value={CANCEL} look="quiet">
          {t('common.cancel')}
        </SubmitButton>
      </TransactionForm>
    )}
  </AuthCard>
)

function hintOf(kind: FactorKind, t: Translate): string | undefined {
  const { enroll } = FACTOR_PAGES[kind]
  return enroll ? t(enroll.hint) : undefined
}

function Phone({ view, t }: Props<'phone'>) {
  const errorId = errorIdOf(view.notice, 'phone')
  return (
    <AuthCard title={t('enroll.phone.title')} lead={hintOf(view.kind, t)}>
      <Notice notice={view.notice} fields={errorId ? [{ name: 'phone', label: t('enroll.phone.label') }] : []} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state, factor: view.kind }}>
        <div className="field-group">
          <TextField
            name="phone"
            label={t('enroll.phone.label')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={60}
            defaultValue={view.phone}
            autoFocus
            hintId={PHONE_HINT}
            errorId={errorId}
          />
          <p className="field-help" id={PHONE_HINT}>
            {t('enroll.phone.hint')}
          </p>
        </div>
        <Buttons
          view={view}
          value={ENROLL}
          label={t(FACTOR_PAGES[view.kind].sends?.button ?? 'common.continue')}
          t={t}
        />
      </TransactionForm>
    </AuthCard>
  )
}

function App({ view, t }: Props<'otp'>) {
  return (
    <AuthCard title={t('enroll.otp.title')} lead={t('enroll.otp.lead')}>
      <Notice notice={view.notice} fields={codeLinks(view, t('enroll.otp.code'))} t={t} />
      <div className="scan">
        <QrCode text={view.uri} label={t('enroll.qr')} />
        <a className="link" href={view.uri}>
          {t('enroll.otp.open')}
        </a>
      </div>
      <SecretText id="secret" text={view.secret} label={t('enroll.otp.key')} t={t} />
      <ConfirmForm view={view} label={t('enroll.otp.code')} t={t} />
    </AuthCard>
  )
}

function Code({ view, t }: Props<'code'>) {
  return (
    <AuthCard title={t('enroll.code.title')} lead={t(`mfa.lead.${view.kind}`, { name: view.name })}>
      <Notice notice={view.notice} fields={codeLinks(view, t('code.label'))} t={t} />
      <ConfirmForm view={view} label={t('code.label')} t={t} />
    </AuthCard>
  )
}

/** comfort.js polls this page until the device has answered, and then submits the form. */
function Device({ view, t }: Props<'push'>) {
  return (
    <AuthCard title={t('enroll.push.title')} lead={t('enroll.push.lead')}>
      <Notice notice={view.notice} t={t} />
      {!view.answered && (
        <div className="scan">
          <QrCode text={view.uri} label={t('enroll.qr')} />
          <TextLink href={view.uri}>{t('enroll.push.open')}</TextLink>
        </div>
      )}
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <p className="waiting" role="status" data-waiting={view.answered ? undefined : ''}>
          {t(view.answered ? 'mfa.answered' : 'mfa.waiting')}
        </p>
        <Buttons view={view} value={CONFIRM} label={t(view.answered ? 'common.continue' : 'mfa.push_done')} t={t} />
      </TransactionForm>
    </AuthCard>
  )
}

const Key = ({ view, t }: Props<'key'>) => (
  <AuthCard title={titleOf(view, t)} lead={hintOf(view.kind, t)}>
    <Notice notice={view.notice} t={t} />
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <PasskeyCeremony
        passkey={view.passkey}
        does="create"
        action={CONFIRM}
        label={t('common.continue')}
        look="primary"
        t={t}
      />
      <p className="ceremony-missing">{t('webauthn.missing')}</p>
      <OtherButtons view={view} t={t} />
    </TransactionForm>
  </AuthCard>
)

/** The end of an enrolment outside a login. */
const Done = ({ view, t }: Props<'done'>) => (
  <AuthCard title={t('enroll.done.title')} lead={t('enroll.done.lead')}>
    <Occasion view={view} t={t} />
    <TextLink href={view.continueUrl} look="primary">
      {t('common.continue')}
    </TextLink>
  </AuthCard>
)

const Occasion = ({ view, t }: Props) =>
  view.occasion ? <p className="aside">{t(`enroll.occasion.${view.occasion}`)}</p> : null

function ConfirmForm({ view, label, t }: Props & { label: string }) {
  return (
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <CodeField
        label={label}
        // With a QR code to scan first, the keyboard of a phone would cover it.
        autoFocus={view.phase !== 'otp' || view.notice !== undefined}
        errorId={errorIdOf(view.notice, CODE_FIELD)}
        t={t}
      />
      <Buttons view={view} value={CONFIRM} label={t('common.continue')} t={t} />
    </TransactionForm>
  )
}

type ButtonsProps = Props & { value: Action; label: string }

const Buttons = ({ view, value, label, t }: ButtonsProps) => (
  <div className="form-actions">
    <SubmitButton value={value}>{label}</SubmitButton>
    <OtherButtons view={view} t={t} />
  </div>
)

const OtherButtons = ({ view, t }: Props) => (
  <>
    {view.other && (
      <SubmitButton value={OTHER} look="secondary" skipValidation>
        {t('enroll.other')}
      </SubmitButton>
    )}
    {view.cancel && (
      <SubmitButton value={CANCEL} look="quiet" skipValidation>
        {t('common.cancel')}
      </SubmitButton>
    )}
  </>
)

const codeLinks = ({ notice }: MfaEnrollView, label: string) =>
  errorIdOf(notice, CODE_FIELD) ? [{ name: CODE_FIELD, label }] : []

const SAMPLE = { ...SAMPLE_FORM, client: SAMPLE_CLIENT, other: true, cancel: true }
const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const OTP = {
  ...SAMPLE,
  phase: 'otp',
  uri: `otpauth://totp/Northwind:ada%40example.com?secret=${KEY}&issuer=Northwind`,
  secret: KEY,
} as const
const CEREMONY = { session: 's', challenge: 'c', options: '{}' }
const PUSH = { ...SAMPLE, phase: 'push', uri: 'https://id.test/u/device?enrollment_tx_id=t' } as const

function titleOf(view: MfaEnrollView, t: Translate): string {
  if (view.phase === 'key') return t(FACTOR_PAGES[view.kind].enroll?.title ?? 'enroll.title')
  return t(view.phase === 'choose' ? 'enroll.title' : `enroll.${view.phase}.title`)
}

export const screen = defineScreen<MfaEnrollView>({
  title: titleOf,
  passkeys: ({ phase }) => phase === 'key',
  component: MfaEnrollScreen,
  waits: (view) => view.phase === 'push' && !view.answered,
  samples: [
    {
      ...SAMPLE,
      phase: 'choose',
      factors: ['otp', 'push', 'sms', 'voice', 'email', 'webauthn-roaming', 'webauthn-platform'],
    },
    { ...SAMPLE, phase: 'phone', kind: 'sms' },
    { ...SAMPLE, phase: 'phone', kind: 'voice', phone: '12', notice: 'invalid_phone' },
    OTP,
    { ...OTP, notice: 'wrong_code' },
    { ...SAMPLE, phase: 'code', kind: 'sms', name: 'XXXXXXXXX9167' },
    { ...SAMPLE, phase: 'code', kind: 'email', name: '****@exam*******', notice: 'wrong_code' },
    { ...PUSH, answered: false },
    { ...PUSH, answered: true },
    { ...SAMPLE, phase: 'key', kind: 'webauthn-roaming', passkey: CEREMONY },
    { ...SAMPLE, phase: 'key', kind: 'webauthn-platform', passkey: CEREMONY, notice: 'key_failed' },
    { ...SAMPLE, phase: 'choose', factors: ['otp'], occasion: 'never' },
    { ...SAMPLE, phase: 'done' },
    { ...SAMPLE, phase: 'done', continueUrl: '/', occasion: 'each' },
    { ...SAMPLE, phase: 'done', occasion: 'risky' },
  ],
})
