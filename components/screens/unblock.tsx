import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/** Opened by the link of a blocked-account mail; only the button lifts the block. Posts: ticket, action=unblock. */
type UnblockView = {
  action: string
  ticket: string
  /** `ask` shows the button, `done` confirms the result. */
  phase: 'ask' | 'done'
  continueUrl?: string
}

type Action = 'unblock'

const UNBLOCK: Action = 'unblock'

/** Only the button lifts the block: mail scanners follow links but do not submit forms. */
function UnblockScreen({ view, t }: { view: UnblockView; t: Translate }) {
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

export const screen = defineScreen<UnblockView>({
  title: ({ phase }, t) => t(phase === 'done' ? 'unblock.done_title' : 'unblock.title'),
  component: UnblockScreen,
  samples: [
    { action: '/u/unblock', ticket: 't', phase: 'ask' },
    { action: '/u/unblock', ticket: 't', phase: 'done', continueUrl: '/' },
  ],
})
