import type { Translate } from '../../lib/pages/texts/messages'
import type { MfaEnrollAction, MfaEnrollView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { CODE_FIELD, CodeField } from '../code-field'
import { FactorChoice } from '../factor-choice'
import { errorIdOf, Notice } from '../notice'
import { QrCode } from '../qr-code'
import { SecretText } from '../secret-text'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const ENROLL: MfaEnrollAction = 'mfa-enroll'
const CONFIRM: MfaEnrollAction = 'mfa-confirm'
const OTHER: MfaEnrollAction = 'mfa-other'
const CANCEL: MfaEnrollAction = 'cancel'
const PHONE_HINT = 'phone-hint'

type Phase<P> = Extract<MfaEnrollView, { phase: P }>
type Props<P = MfaEnrollView['phase']> = { view: Phase<P>; t: Translate }

export function MfaEnrollScreen({ view, t }: { view: MfaEnrollView; t: Translate }) {
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
  }
}

const Choose = ({ view, t }: Props<'choose'>) => (
  <AuthCard title={t('enroll.title')} lead={t('enroll.lead')}>
    <Notice notice={view.notice} t={t} />
    <ul className="choices">
      {view.factors.map((kind) => (
        <li key={kind}>
          <FactorChoice
            action={view.action}
            fields={{ state: view.state, factor: kind }}
            value={ENROLL}
            kind={kind}
            detail={kind === 'recovery-code' ? undefined : t(`enroll.hint.${kind}`)}
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

function Phone({ view, t }: Props<'phone'>) {
  const errorId = errorIdOf(view.notice, 'phone')
  return (
    <AuthCard title={t('enroll.phone.title')} lead={t(`enroll.hint.${view.kind}`)}>
      <Notice notice={view.notice} fields={errorId ? [{ name: 'phone', label: t('enroll.phone.label') }] : []} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state, factor: view.kind }}>
        <div className="field-group">
          <TextField
            name="phone"
            label={t('enroll.phone.label')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={40}
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
          label={t(view.kind === 'voice' ? 'mfa.send.call' : 'mfa.send.code')}
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
    <AuthCard title={t('enroll.code.title')} lead={sentTo(view, t)}>
      <Notice notice={view.notice} fields={codeLinks(view, t('code.label'))} t={t} />
      <ConfirmForm view={view} label={t('code.label')} t={t} />
    </AuthCard>
  )
}

const sentTo = ({ kind, name }: Phase<'code'>, t: Translate): string | undefined =>
  kind === 'sms' || kind === 'voice' || kind === 'email' ? t(`mfa.lead.${kind}`, { name }) : undefined

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

type ButtonsProps = Props & { value: MfaEnrollAction; label: string }

const Buttons = ({ view, value, label, t }: ButtonsProps) => (
  <div className="form-actions">
    <SubmitButton value={value}>{label}</SubmitButton>
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
  </div>
)

const codeLinks = ({ notice }: MfaEnrollView, label: string) =>
  errorIdOf(notice, CODE_FIELD) ? [{ name: CODE_FIELD, label }] : []
