import type { Translate } from '../../lib/pages/texts/messages'
import type { PasswordlessLinkAction, PasswordlessLinkView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const LOGIN: PasswordlessLinkAction = 'login'

/** Only the button signs in: mail scanners follow links, they do not send forms. */
export function PasswordlessLinkScreen({ view, t }: { view: PasswordlessLinkView; t: Translate }) {
  const { client, email, action, fields } = view
  return (
    <AuthCard
      title={t('passwordless.link_title', { client: client.name })}
      lead={t('passwordless.link_lead', { email })}
      picture={<ClientLogo client={client} />}
    >
      <TransactionForm action={action} fields={fields}>
        <SubmitButton value={LOGIN}>{t('login.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}
