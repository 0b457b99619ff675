import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/** Opened by the link of a verification mail; only the button verifies. Posts: ticket, action=verify-email. */
type VerifyEmailView =
  | { phase: 'ask'; action: string; ticket: string; email: string }
  | { phase: 'done'; email: string; continueUrl?: string }

type Action = 'verify-email'

const VERIFY: Action = 'verify-email'

/** Only the button verifies the address: mail scanners follow links but do not submit forms. */
function VerifyEmailScreen({ view, t }: { view: VerifyEmailView; t: Translate }) {
  if (view.phase === 'done') {
    return (
      <AuthCard title={t('verify.done_title')} lead={t('verify.done_body', { email: view.email })}>
        <TextLink href={view.continueUrl} look="primary">
          {t('common.continue')}
        </TextLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('verify.title')} lead={t('verify.body', { email: view.email })}>
      <TransactionForm action={view.action} fields={{ ticket: view.ticket }}>
        <SubmitButton value={VERIFY}>{t('verify.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}

export const screen = defineScreen<VerifyEmailView>({
  title: ({ phase }, t) => t(phase === 'done' ? 'verify.done_title' : 'verify.title'),
  component: VerifyEmailScreen,
  samples: [
    { phase: 'ask', action: '/u/verify-email', ticket: 't', email: 'ada@example.com' },
    { phase: 'done', email: 'ada@example.com', continueUrl: 'https://app.example.com/' },
  ],
})
