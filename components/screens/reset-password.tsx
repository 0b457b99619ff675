import type { NoticeCode, PasswordRuleView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { errorIdOf, Notice } from '../notice'
import { PasswordField } from '../password-field'
import { generatorRules, PASSWORD_RULES_ID, PasswordRules } from '../password-rules'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Opened by the link of a reset mail; only the button changes the password. Posts: ticket, passed, username, password,
 * action=reset-password.
 */
type ResetPasswordView =
  | {
      phase: 'ask'
      action: string
      ticket: string
      /** What the tenant's rules have let pass. */
      passed?: string
      /** The account's name, shown, and given to the password manager. */
      user: string
      rules: PasswordRuleView[]
      /** The session of this browser outlasts the change. */
      keepsSession?: true
      notice?: NoticeCode
    }
  | { phase: 'done'; continueUrl?: string }

type Action = 'reset-password'

const RESET: Action = 'reset-password'

/** Only the button changes the password: mail scanners follow links but do not submit forms. */
function ResetPasswordScreen({ view, t }: { view: ResetPasswordView; t: Translate }) {
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
      <TransactionForm
        action={view.action}
        fields={{ ticket: view.ticket, ...(view.passed === undefined ? {} : { passed: view.passed }) }}
      >
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
      <p className="card-foot">{t(view.keepsSession ? 'reset.elsewhere' : 'reset.everywhere')}</p>
    </AuthCard>
  )
}

/** Identifies the entry of a password manager that the new password belongs to. */
const AccountName = ({ name }: { name: string }) => (
  <input className="hidden" type="text" name="username" autoComplete="username" defaultValue={name} readOnly />
)

const SAMPLE: ResetPasswordView = {
  phase: 'ask',
  action: '/u/reset-password',
  ticket: 't',
  user: 'ada@example.com',
  rules: [{ rule: 'length', count: 8 }, { rule: 'common' }],
}

export const screen = defineScreen<ResetPasswordView>({
  title: ({ phase }, t) => t(phase === 'done' ? 'reset.done_title' : 'reset.title'),
  component: ResetPasswordScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, notice: 'weak_password' },
    { ...SAMPLE, keepsSession: true },
    { phase: 'done', continueUrl: 'https://app.example.com/' },
  ],
})
