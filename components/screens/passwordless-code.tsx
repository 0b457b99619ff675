import type { Translate } from '../../lib/pages/texts/messages'
import type { PasswordlessCodeAction, PasswordlessCodeView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { CODE_FIELD, CodeField } from '../code-field'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const CHECK: PasswordlessCodeAction = 'check-code'
const RESEND: PasswordlessCodeAction = 'resend-code'
const CANCEL: PasswordlessCodeAction = 'cancel'

type Props = { view: PasswordlessCodeView; t: Translate }

export function PasswordlessCodeScreen({ view, t }: Props) {
  const { client, notice, address, addressUrl, loginUrl } = view
  return (
    <AuthCard
      title={t('enroll.code.title')}
      lead={t('passwordless.code_lead', { address })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <CodeField errorId={errorIdOf(notice, CODE_FIELD)} t={t} />
        <div className="form-actions">
          <SubmitButton value={CHECK}>{t('login.submit')}</SubmitButton>
          {view.cancel && (
            <SubmitButton value={CANCEL} look="quiet" skipValidation>
              {t('common.cancel')}
            </SubmitButton>
          )}
        </div>
      </TransactionForm>
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

/** The button works at any time, the server says when it is too early; comfort.js counts down and holds it until then. */
const Again = ({ view: { action, state, waitSeconds }, t }: Props) => (
  <TransactionForm action={action} fields={{ state }}>
    <p className="again">
      {waitSeconds > 0 && (
        <span data-countdown={String(waitSeconds)}>{t('passwordless.again_in', { seconds: String(waitSeconds) })}</span>
      )}
      <button type="submit" name="action" value={RESEND} className="link">
        {t('passwordless.again')}
      </button>
    </p>
  </TransactionForm>
)
