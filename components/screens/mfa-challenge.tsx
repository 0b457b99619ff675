import type { Translate } from '../../lib/pages/texts/messages'
import type { FactorKind, MfaChallengeAction, MfaChallengeView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { CheckField } from '../check-field'
import { ClientLogo } from '../client-logo'
import { CODE_FIELD, CodeField } from '../code-field'
import { FactorChoice } from '../factor-choice'
import { MatchNumber } from '../match-number'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const VERIFY: MfaChallengeAction = 'mfa-verify'
const USE: MfaChallengeAction = 'mfa-use'
const CANCEL: MfaChallengeAction = 'cancel'

type Props = { view: MfaChallengeView; t: Translate }

export function MfaChallengeScreen({ view, ...look }: Props & { tenantName: string; helpUrl: string | undefined }) {
  const { t } = look
  return (
    <AuthCard title={t('mfa.title')} lead={leadOf(view, t)} picture={<ClientLogo client={view.client} />}>
      <Notice notice={view.notice} fields={codeLinks(view, t)} t={t} />
      <Question view={view} t={t} />
      <OtherWays view={view} {...look} />
    </AuthCard>
  )
}

function leadOf({ factor: { kind, name = '' }, phase }: MfaChallengeView, t: Translate): string {
  if (kind === 'otp' || kind === 'recovery-code') return t(`mfa.lead.${kind}`)
  if (kind === 'push') return t(phase === 'send' ? 'mfa.ask.push' : 'mfa.lead.push')
  return t(phase === 'send' ? `mfa.ask.${kind}` : `mfa.lead.${kind}`, { name })
}

const codeLinks = ({ notice, factor }: MfaChallengeView, t: Translate) =>
  errorIdOf(notice, CODE_FIELD) ? [{ name: CODE_FIELD, label: codeLabel(factor.kind, t) }] : []

const codeLabel = (kind: FactorKind, t: Translate): string =>
  kind === 'recovery-code' ? t('mfa.factor.recovery-code') : t('code.label')

function Question({ view, t }: Props) {
  switch (view.phase) {
    case 'send':
      return <Send view={view} t={t} />
    case 'code':
      return <EnterCode view={view} t={t} />
    case 'wait':
    case 'answered':
      return <OnDevice view={view} t={t} />
  }
}

/** No message is sent before the user requests it. */
const Send = ({ view, t }: Props) => (
  <TransactionForm action={view.action} fields={{ state: view.state, authenticator: view.factor.id }}>
    <div className="form-actions">
      <SubmitButton value={USE}>{t(sendLabel(view.factor.kind))}</SubmitButton>
      <Cancel view={view} t={t} />
    </div>
  </TransactionForm>
)

function sendLabel(kind: FactorKind) {
  if (kind === 'push') return 'mfa.send.push'
  return kind === 'voice' ? 'mfa.send.call' : 'mfa.send.code'
}

function EnterCode({ view, t }: Props) {
  const { factor, notice } = view
  const field = { errorId: errorIdOf(notice, CODE_FIELD), autoFocus: true }
  return (
    <>
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        {factor.kind === 'recovery-code' ? (
          <TextField
            name={CODE_FIELD}
            label={codeLabel(factor.kind, t)}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={60}
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
  if (factor.kind === 'otp' || factor.kind === 'recovery-code') return null
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

type WaysProps = Props & { tenantName: string; helpUrl: string | undefined }

function OtherWays({ view: { others, action, state }, tenantName, helpUrl, t }: WaysProps) {
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
      {helpUrl && (
        <p>
          <TextLink href={helpUrl}>{t('common.help')}</TextLink>
        </p>
      )}
    </details>
  )
}
