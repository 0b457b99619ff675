import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** Opened by the link of the mail about a changed address; only the button restores it. Posts: ticket, action=restore-email. */
type RestoreEmailView =
  | { phase: 'ask' | 'taken'; action: string; ticket: string; email: string }
  | { phase: 'done'; email: string; isReset: boolean }

type Action = 'restore-email'

const RESTORE: Action = 'restore-email'

function RestoreEmailScreen({ view, t }: { view: RestoreEmailView; t: Translate }) {
  const { email } = view
  if (view.phase === 'done') {
    const words = view.isReset ? 'restore.done_reset' : 'restore.done_body'
    return <AuthCard title={t('restore.done_title')} lead={t(words, { email })} />
  }
  return (
    <AuthCard title={t('restore.title')} lead={t(view.phase === 'taken' ? 'restore.taken' : 'restore.body', { email })}>
      <TransactionForm action={view.action} fields={{ ticket: view.ticket }}>
        <SubmitButton value={RESTORE}>{t('restore.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}

const ASK = { action: '/u/restore-email', ticket: 't', email: 'ada@example.com' }

export const screen = defineScreen<RestoreEmailView>({
  title: ({ phase }, t) => t(phase === 'done' ? 'restore.done_title' : 'restore.title'),
  component: RestoreEmailScreen,
  samples: [
    { phase: 'ask', ...ASK },
    { phase: 'taken', ...ASK },
    { phase: 'done', email: 'ada@example.com', isReset: true },
    { phase: 'done', email: 'ada@example.com', isReset: false },
  ],
})
