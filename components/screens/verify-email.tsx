import type { Translate } from '../../lib/pages/texts/messages'
import type { VerifyEmailAction, VerifyEmailView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const VERIFY: VerifyEmailAction = 'verify-email'

/** Only the button verifies the address: mail scanners follow links but do not submit forms. */
export function VerifyEmailScreen({ view, t }: { view: VerifyEmailView; t: Translate }) {
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
