import type { Translate } from '../../lib/pages/texts/messages'
import type { ResetPasswordAction, ResetPasswordView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { errorIdOf, Notice } from '../notice'
import { PasswordField } from '../password-field'
import { generatorRules, PASSWORD_RULES_ID, PasswordRules } from '../password-rules'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const RESET: ResetPasswordAction = 'reset-password'

/** Only the button changes the password: mail scanners follow links but do not submit forms. */
export function ResetPasswordScreen({ view, t }: { view: ResetPasswordView; t: Translate }) {
  if (view.phase === 'done') {
    return (
      <AuthCard title={t('reset.done_title')} lead={t('reset.done_body')}>
        <TextLink href={view.continueUrl} look="primary">
          {t('reset.continue')}
        </TextLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('reset.title')} lead={t('reset.body', { user: view.user })}>
      <Notice notice={view.notice} t={t} />
      <TransactionForm action={view.action} fields={{ ticket: view.ticket }}>
        <AccountName name={view.user} />
        <div className="field-group">
          <PasswordField
            label={t('reset.password')}
            autoComplete="new-password"
            passwordRules={generatorRules(view.rules)}
            hintId={PASSWORD_RULES_ID}
            autoFocus
            errorId={errorIdOf(view.notice, 'password')}
            t={t}
          />
          <PasswordRules rules={view.rules} t={t} />
        </div>
        <div className="form-actions">
          <SubmitButton value={RESET}>{t('reset.submit')}</SubmitButton>
        </div>
      </TransactionForm>
      <p className="card-foot">{t('reset.everywhere')}</p>
    </AuthCard>
  )
}

/** Identifies the entry of a password manager that the new password belongs to. */
const AccountName = ({ name }: { name: string }) => (
  <input className="hidden" type="text" name="username" autoComplete="username" defaultValue={name} readOnly />
)
