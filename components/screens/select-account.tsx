import type { Translate } from '../../lib/pages/texts/messages'
import type { SelectAccountAction, SelectAccountView } from '../../lib/pages/view'
import { AccountList } from '../account-list'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const CONTINUE: SelectAccountAction = 'continue'
const SWITCH: SelectAccountAction = 'switch'
const CANCEL: SelectAccountAction = 'cancel'

export function SelectAccountScreen({ view, t }: { view: SelectAccountView; t: Translate }) {
  const { accounts, client } = view
  const [first] = accounts
  const only = accounts.length === 1 ? first : undefined
  return (
    <AuthCard
      title={only ? t('account.title_one') : t('account.title')}
      lead={t('account.lead', { client: client.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <AccountList accounts={accounts} label={t('account.list')} />
        <div className="form-actions">
          <SubmitButton value={CONTINUE}>
            {only ? t('account.continue_as', { user: only.name }) : t('account.continue')}
          </SubmitButton>
          <SubmitButton value={SWITCH} look="secondary">
            {t('account.switch')}
          </SubmitButton>
          {view.cancel && (
            <SubmitButton value={CANCEL} look="quiet">
              {t('common.cancel')}
            </SubmitButton>
          )}
        </div>
      </TransactionForm>
    </AuthCard>
  )
}
