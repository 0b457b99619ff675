import type { ClientView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { defineScreen, SAMPLE_CLIENT, type ScreenProps } from '../define-screen'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** Asks the user to confirm an RP-initiated logout without proof. Posts: every field, action=logout|stay. */
type ConfirmLogoutView = {
  action: string
  fields: Record<string, string>
  client?: ClientView
  user?: { name: string; email?: string }
}

type Action = 'logout' | 'stay'

const LOGOUT: Action = 'logout'
const STAY: Action = 'stay'

function ConfirmLogoutScreen({ view, t }: ScreenProps<ConfirmLogoutView>) {
  const tenant = view.branding.tenantName
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

export const screen = defineScreen<ConfirmLogoutView>({
  title: (_view, t) => t('confirm_logout.title'),
  component: ConfirmLogoutScreen,
  door: 'open',
  samples: [
    { action: '/oidc/logout', fields: { state: 'x' } },
    { action: '/oidc/logout', fields: {}, client: SAMPLE_CLIENT, user: { name: 'Ada' } },
  ],
})
