import type { ClientView, FactorKind, FactorView, NoticeCode, PasskeyView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { CheckField } from '../check-field'
import { ClientLogo } from '../client-logo'
import { CODE_FIELD, CodeField } from '../code-field'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { FactorChoice } from '../factor-choice'
import { FACTOR_PAGES } from '../factor-pages'
import { MatchNumber } from '../match-number'
import { errorIdOf, Notice } from '../notice'
import { PasskeyCeremony } from '../passkey-ceremony'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Posts: state, code or passkey_session and passkey_response, remember=true, action=mfa-verify|cancel; or state, authenticator,
 * action=mfa-use, which also sends a code (again).
 */
type MfaChallengeView = {
  action: string
  state: string
  client: ClientView
  factor: FactorView
  /**
   * `send`: nothing was sent yet; `code`: a code is expected; `wait`: waiting for the device; `answered`: the device has
   * answered, and submitting the form continues; `key`: the browser asks for a key.
   */
  phase: 'send' | 'code' | 'wait' | 'answered' | 'key'
  /** Absent if none of the keys works on this host. */
  passkey?: PasskeyView
  /** The number to type on the device, so that users approve only logins that they see. */
  number?: string
  others: FactorView[]
  /** Days to remember the browser; offered where present. */
  rememberDays?: number
  notice?: NoticeCode
  cancel: boolean
}

type Action = 'mfa-verify' | 'mfa-use' | 'cancel'

const VERIFY: Action = 'mfa-verify'
const USE: Action = 'mfa-use'
const CANCEL: Action = 'cancel'

type Props = { view: MfaChallengeView; t: Translate }

function MfaChallengeScreen({ view, t }: ScreenProps<MfaChallengeView>) {
  return (
    <AuthCard title={t('mfa.title')} lead={leadOf(view, t)} picture={<ClientLogo client={view.client} />}>
      <Notice notice={view.notice} fields={codeLinks(view, t)} t={t} />
      <Question view={view} t={t} />
      <OtherWays view={view} t={t} />
    </AuthCard>
  )
}

function leadOf({ factor: { kind, name = '' }, phase }: MfaChallengeView, t: Translate): string {
  const { sends } = FACTOR_PAGES[kind]
  return t(phase === 'send' && sends ? sends.ask : `mfa.lead.${kind}`, { name })
}

const codeLinks = ({ notice, factor }: MfaChallengeView, t: Translate) =>
  errorIdOf(notice, CODE_FIELD) ? [{ name: CODE_FIELD, label: codeLabel(factor.kind, t) }] : []

const isText = (kind: FactorKind): boolean => FACTOR_PAGES[kind].answer === 'text'

const codeLabel = (kind: FactorKind, t: Translate): string => t(isText(kind) ? `mfa.factor.${kind}` : 'code.label')

function Question({ view, t }: Props) {
  switch (view.phase) {
    case 'send':
      return <Send view={view} t={t} />
    case 'code':
      return <EnterCode view={view} t={t} />
    case 'key':
      return <UseKey view={view} t={t} />
    case 'wait':
    case 'answered':
      return <OnDevice view={view} t={t} />
  }
}

/** No message is sent before the user requests it. */
const Send = ({ view, t }: Props) => (
  <TransactionForm action={view.action} fields={{ state: view.state, authenticator: view.factor.id }}>
    <div className="form-actions">
      <SubmitButton value={USE}>{t(FACTOR_PAGES[view.factor.kind].sends?.button ?? 'common.continue')}</SubmitButton>
      <Cancel view={view} t={t} />
    </div>
  </TransactionForm>
)

function EnterCode({ view, t }: Props) {
  const { factor, notice } = view
  const field = { errorId: errorIdOf(notice, CODE_FIELD), autoFocus: true }
  return (
    <>
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        {isText(factor.kind) ? (
          <TextField
            name={CODE_FIELD}
            label={codeLabel(factor.kind, t)}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={100}
            {...field}
          />
        ) : (
          <CodeField {...field} t={t} />
        )}
        <Remember view={view} t={t} />
        <div className="form-actions">
          <SubmitButton value={VERIFY}>{t('common.continue')}</SubmitButton>
          <Cancel view={view} t={t} />
        </div>
      </TransactionForm>
      <Again view={view} t={t} />
    </>
  )
}

function UseKey({ view, t }: Props) {
  const { passkey } = view
  return (
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      {passkey && (
        <PasskeyCeremony
          passkey={passkey}
          does="get"
          action={VERIFY}
          label={t('common.continue')}
          look="primary"
          t={t}
        />
      )}
      <p className="ceremony-missing">{t('webauthn.missing')}</p>
      <Remember view={view} t={t} />
      <Cancel view={view} t={t} />
    </TransactionForm>
  )
}

/** comfort.js polls this page until the device has answered, and then submits the form. */
function OnDevice({ view, t }: Props) {
  const { number, phase } = view
  return (
    <>
      {number && phase === 'wait' && <MatchNumber says={t('mfa.number')} number={number} />}
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <p className="waiting" role="status" data-waiting={phase === 'wait' ? '' : undefined}>
          {t(phase === 'wait' ? 'mfa.waiting' : 'mfa.answered')}
        </p>
        <Remember view={view} t={t} />
        <div className="form-actions">
          <SubmitButton value={VERIFY}>{t(phase === 'wait' ? 'mfa.push_done' : 'common.continue')}</SubmitButton>
          <Cancel view={view} t={t} />
        </div>
      </TransactionForm>
      <Again view={view} t={t} />
    </>
  )
}

const Remember = ({ view: { rememberDays: days }, t }: Props) =>
  days === undefined ? null : (
    <CheckField name="remember" label={t('mfa.remember', { days: String(days) })} required={false} checked={false} />
  )

const Cancel = ({ view, t }: Props) =>
  view.cancel ? (
    <SubmitButton value={CANCEL} look="quiet" skipValidation>
      {t('common.cancel')}
    </SubmitButton>
  ) : null

function Again({ view: { action, state, factor }, t }: Props) {
  if (!FACTOR_PAGES[factor.kind].sends) return null
  return (
    <TransactionForm action={action} fields={{ state, authenticator: factor.id }}>
      <p className="again">
        <span>{t('forgot.nothing')}</span>
        <button type="submit" name="action" value={USE} className="link">
          {t('forgot.again')}
        </button>
      </p>
    </TransactionForm>
  )
}

function OtherWays({ view: { others, action, state, branding }, t }: ScreenProps<MfaChallengeView>) {
  const { tenantName, supportUrl } = branding
  return (
    <details className="ways">
      <summary className="ways-title">{t(others.length > 0 ? 'mfa.other' : 'mfa.lost')}</summary>
      {others.length > 0 && (
        <ul className="choices">
          {others.map((factor) => (
            <li key={factor.id}>
              <FactorChoice
                action={action}
                fields={{ state, authenticator: factor.id }}
                value={USE}
                kind={factor.kind}
                detail={factor.name}
                t={t}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="ways-lost">{t('mfa.lost_body', { tenant: tenantName })}</p>
      {supportUrl && (
        <p>
          <TextLink href={supportUrl}>{t('common.help')}</TextLink>
        </p>
      )}
    </details>
  )
}

const PHONE = { id: 'sms|dev_1', kind: 'sms', name: 'XXXXXXXXX9167' } as const
const RECOVERY_CODE = { id: 'recovery-code|dev_3', kind: 'recovery-code' } as const
const PUSH = { id: 'push|dev_4', kind: 'push' } as const
const KEY = { id: 'webauthn-roaming|dev_5', kind: 'webauthn-roaming', name: 'YubiKey 5' } as const
const SAMPLE: MfaChallengeView = {
  ...SAMPLE_FORM,
  client: SAMPLE_CLIENT,
  factor: { id: 'totp|dev_2', kind: 'otp' },
  phase: 'code',
  others: [PHONE, RECOVERY_CODE],
  rememberDays: 30,
  cancel: true,
}

export const screen = defineScreen<MfaChallengeView>({
  title: (_view, t) => t('mfa.title'),
  component: MfaChallengeScreen,
  passkeys: ({ passkey }) => passkey !== undefined,
  waits: ({ phase }) => phase === 'wait',
  samples: [
    SAMPLE,
    { ...SAMPLE, notice: 'wrong_code', others: [] },
    { ...SAMPLE, factor: RECOVERY_CODE, notice: 'wrong_code' },
    ...(['sms', 'voice', 'email'] as const).flatMap((kind): MfaChallengeView[] => [
      { ...SAMPLE, factor: { ...PHONE, kind }, phase: 'send' },
      { ...SAMPLE, factor: { ...PHONE, kind }, notice: 'code_sent' },
    ]),
    { ...SAMPLE, factor: { ...PUSH, name: 'Phone' }, phase: 'send' },
    { ...SAMPLE, factor: PUSH, phase: 'wait', number: '42' },
    { ...SAMPLE, factor: PUSH, phase: 'answered' },
    { ...SAMPLE, factor: KEY, phase: 'key', passkey: { session: 's', challenge: 'c', options: '{}' } },
    { ...SAMPLE, factor: { ...KEY, kind: 'webauthn-platform' }, phase: 'key', notice: 'key_failed' },
  ],
})
