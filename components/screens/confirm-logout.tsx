import type { Translate } from '../../lib/pages/texts/messages'
import type { ConfirmLogoutAction, ConfirmLogoutView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const LOGOUT: ConfirmLogoutAction = 'logout'
const STAY: ConfirmLogoutAction = 'stay'

type Props = { view: ConfirmLogoutView; tenantName: string; t: Translate }

export function ConfirmLogoutScreen({ view, tenantName: tenant, t }: Props) {
  const body = view.client
    ? t('confirm_logout.body_client', { client: view.client.name, tenant })
    : t('confirm_logout.body', { tenant })
  return (
    <AuthCard title={t('confirm_logout.title')} lead={body}>
      <TransactionForm action={view.action} fields={view.fields}>
        <div className="form-choice">
          <SubmitButton value={LOGOUT}>{t('confirm_logout.submit')}</SubmitButton>
          <SubmitButton value={STAY} look="secondary">
            {t('confirm_logout.stay')}
          </SubmitButton>
        </div>
      </TransactionForm>
      {view.user && (
        <p className="card-foot">{t('common.signed_in_as', { user: view.user.email ?? view.user.name })}</p>
      )}
    </AuthCard>
  )
}
