import type { Translate } from '../../lib/pages/texts/messages'
import type { PasswordlessCodeAction, PasswordlessCodeView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { CODE_FIELD, CodeField } from '../code-field'
import { MatchNumber } from '../match-number'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const CHECK: PasswordlessCodeAction = 'check-code'
const CHECK_LINK: PasswordlessCodeAction = 'check-link'
const RESEND: PasswordlessCodeAction = 'resend-code'
const CANCEL: PasswordlessCodeAction = 'cancel'

type Props = { view: PasswordlessCodeView; t: Translate }

export function PasswordlessCodeScreen({ view, t }: Props) {
  const { client, notice, address, addressUrl, loginUrl, sends } = view
  return (
    <AuthCard
      title={t(sends === 'link' ? 'passwordless.link_sent_title' : 'enroll.code.title')}
      lead={t(LEADS[sends], { address })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} t={t} />
      {sends !== 'link' && <EnterCode view={view} t={t} />}
      {view.link && <OpenLink view={view} link={view.link} t={t} />}
      <Again view={view} t={t} />
      <div className="card-foot">
        <p>
          <TextLink href={addressUrl}>{t('passwordless.other_address')}</TextLink>
        </p>
        {loginUrl && (
          <p>
            <TextLink href={loginUrl}>{t('passwordless.with_password')}</TextLink>
          </p>
        )}
      </div>
    </AuthCard>
  )
}

const LEADS = {
  code: 'passwordless.code_lead',
  link: 'passwordless.link_sent',
  both: 'passwordless.both_sent',
} as const

const EnterCode = ({ view, t }: Props) => (
  <TransactionForm action={view.action} fields={{ state: view.state }}>
    <CodeField errorId={errorIdOf(view.notice, CODE_FIELD)} t={t} />
    <div className="form-actions">
      <SubmitButton value={CHECK}>{t('login.submit')}</SubmitButton>
      <Cancel view={view} t={t} />
    </div>
  </TransactionForm>
)

/** comfort.js polls this page until the link was answered, and then submits the form. */
const OpenLink = ({
  view,
  link: { phase, number },
  t,
}: Props & { link: NonNullable<PasswordlessCodeView['link']> }) => (
  <>
    {phase === 'waiting' && <MatchNumber says={t('passwordless.number')} number={number} />}
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <p className="waiting" role="status" data-waiting={phase === 'waiting' ? '' : undefined}>
        {t(phase === 'waiting' ? 'passwordless.waiting' : 'passwordless.answered')}
      </p>
      <div className="form-actions">
        <SubmitButton value={CHECK_LINK} look={view.sends === 'both' ? 'secondary' : 'primary'}>
          {t(phase === 'waiting' ? 'passwordless.approved' : 'common.continue')}
        </SubmitButton>
        {view.sends === 'link' && <Cancel view={view} t={t} />}
      </div>
    </TransactionForm>
  </>
)

const Cancel = ({ view, t }: Props) =>
  view.cancel ? (
    <SubmitButton value={CANCEL} look="quiet" skipValidation>
      {t('common.cancel')}
    </SubmitButton>
  ) : null

/** The button always works, and the server refuses early requests; comfort.js counts down and disables it until then. */
const Again = ({ view: { action, state, waitSeconds, sends }, t }: Props) => (
  <TransactionForm action={action} fields={{ state }}>
    <p className="again">
      {waitSeconds > 0 && (
        <span data-countdown={String(waitSeconds)}>
          {t(sends === 'link' ? 'passwordless.link_again_in' : 'passwordless.again_in', {
            seconds: String(waitSeconds),
          })}
        </span>
      )}
      <button type="submit" name="action" value={RESEND} className="link">
        {t(sends === 'link' ? 'passwordless.link_again' : 'passwordless.again')}
      </button>
    </p>
  </TransactionForm>
)
