import type { CaptchaView, DatabaseView, NoticeCode } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { CaptchaField } from '../captcha-field'
import { CODE_FIELD, CodeField } from '../code-field'
import { DatabaseField } from '../database-field'
import { defineScreen, SAMPLE_CAPTCHAS, SAMPLE_DATABASES, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Requests a reset link by mail; the answer is the same for known and unknown addresses. Posts: state, email, database (if `databases`),
 * action=request-reset; or state, code, action=check-reset-code.
 */
type ForgotPasswordView = {
  action: string
  state: string
  email?: string
  /** `sent` states that a link was sent if the account exists; `code` asks for the code that was sent with it. */
  phase: 'ask' | 'sent' | 'code'
  /** Where the person chooses one. */
  databases?: DatabaseView[]
  /** Absent where none is demanded. */
  captcha?: CaptchaView
  notice?: NoticeCode
  loginUrl: string
  /** The same page, to request another link. */
  againUrl: string
}

type Action = 'request-reset' | 'check-reset-code'

const REQUEST: Action = 'request-reset'
const CHECK: Action = 'check-reset-code'

type Props = ScreenProps<ForgotPasswordView>

function ForgotPasswordScreen({ view, t }: Props) {
  if (view.phase !== 'ask') return <Sent view={view} t={t} />
  const { notice } = view
  return (
    <AuthCard title={t('forgot.title')} lead={t('forgot.body')}>
      <Notice notice={notice} kind="email" t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <TextField
          name="email"
          label={t('login.identifier.email')}
          autoComplete="username"
          inputMode="email"
          defaultValue={view.email}
          autoFocus
          errorId={errorIdOf(notice, 'email')}
        />
        <DatabaseField databases={view.databases} errorId={errorIdOf(notice, 'database')} t={t} />
        <CaptchaField captcha={view.captcha} theme={view.theme} action={REQUEST} notice={notice} t={t} />
        <div className="form-actions">
          <SubmitButton value={REQUEST}>{t('forgot.submit')}</SubmitButton>
        </div>
      </TransactionForm>
      <p className="card-foot">
        <span>
          <TextLink href={view.loginUrl}>{t('forgot.back')}</TextLink>
        </span>
      </p>
    </AuthCard>
  )
}

/** The page does not state whether the address has an account: that would reveal accounts to strangers. */
function Sent({ view, t }: Props) {
  return (
    <AuthCard title={t('forgot.sent_title')} lead={t(view.phase === 'code' ? 'forgot.code_body' : 'notice.reset_sent')}>
      {view.email && (
        <p className="recipient">
          <bdi>{view.email}</bdi>
        </p>
      )}
      {view.phase === 'code' && <EnterCode view={view} t={t} />}
      <TextLink href={view.loginUrl} look="secondary">
        {t('forgot.back')}
      </TextLink>
      <p className="card-foot">
        <span>
          {t('forgot.nothing')} <TextLink href={view.againUrl}>{t('forgot.again')}</TextLink>
        </span>
      </p>
    </AuthCard>
  )
}

const EnterCode = ({ view, t }: Props) => (
  <>
    <Notice notice={view.notice} t={t} />
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <CodeField errorId={errorIdOf(view.notice, CODE_FIELD)} t={t} />
      <div className="form-actions">
        <SubmitButton value={CHECK}>{t('common.continue')}</SubmitButton>
      </div>
    </TransactionForm>
  </>
)

const SAMPLE: ForgotPasswordView = {
  ...SAMPLE_FORM,
  phase: 'ask',
  loginUrl: '/u/login?state=the-state',
  againUrl: '/u/forgot-password?state=the-state',
}

export const screen = defineScreen<ForgotPasswordView>({
  title: ({ phase }, t) => t(phase === 'ask' ? 'forgot.title' : 'forgot.sent_title'),
  component: ForgotPasswordScreen,
  captcha: ({ captcha }) => captcha,
  samples: [
    SAMPLE,
    { ...SAMPLE, email: 'ada@example.com', notice: 'missing_identifier' },
    { ...SAMPLE, email: 'ada@example.com', phase: 'sent' },
    { ...SAMPLE, databases: SAMPLE_DATABASES },
    { ...SAMPLE, email: 'ada@example.com', phase: 'code', notice: 'wrong_code' },
    { ...SAMPLE, email: 'ada@example.com', captcha: SAMPLE_CAPTCHAS[0] },
  ],
})
