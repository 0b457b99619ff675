import type { Translate } from '../../lib/pages/texts/messages'
import type { UnblockAction, UnblockView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const UNBLOCK: UnblockAction = 'unblock'

/** Only the button lifts the block: mail scanners follow links but do not submit forms. */
export function UnblockScreen({ view, t }: { view: UnblockView; t: Translate }) {
  if (view.phase === 'done') {
    return (
      <AuthCard title={t('unblock.done_title')} lead={t('unblock.done_body')}>
        <TextLink href={view.continueUrl} look="primary">
          {t('common.continue')}
        </TextLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('unblock.title')} lead={t('unblock.body')}>
      <TransactionForm action={view.action} fields={{ ticket: view.ticket }}>
        <SubmitButton value={UNBLOCK}>{t('unblock.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}
