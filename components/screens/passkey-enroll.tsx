import type { ClientView, NoticeCode, PasskeyView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { Notice } from '../notice'
import { PasskeyCeremony } from '../passkey-ceremony'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** Offers to create a passkey after a login. Posts: state, passkey_session, passkey_response, action=add-passkey|skip-passkey. */
type PasskeyEnrollView = {
  action: string
  state: string
  client: ClientView
  /** The user has no passkey, or one on another device. */
  reason: 'none-yet' | 'other-device'
  passkey: PasskeyView
  user: { name: string }
  notice?: NoticeCode
}

type Action = 'add-passkey' | 'skip-passkey'

const ADD: Action = 'add-passkey'
const SKIP: Action = 'skip-passkey'

function PasskeyEnrollScreen({ view, t }: { view: PasskeyEnrollView; t: Translate }) {
  const { client, user, reason, passkey } = view
  return (
    <AuthCard
      title={t('passkey.title')}
      lead={t(`passkey.lead.${reason}`, { user: user.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      <p className="aside">{t('passkey.what')}</p>
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <div className="form-actions">
          <PasskeyCeremony
            passkey={passkey}
            does="create"
            action={ADD}
            label={t('passkey.create')}
            look="primary"
            t={t}
          />
          <SubmitButton value={SKIP} look="secondary">
            {t('passkey.skip')}
          </SubmitButton>
        </div>
      </TransactionForm>
    </AuthCard>
  )
}

const SAMPLE: PasskeyEnrollView = {
  ...SAMPLE_FORM,
  client: SAMPLE_CLIENT,
  reason: 'none-yet',
  passkey: { session: 's', challenge: 'c', options: '{}' },
  user: { name: 'ada@example.com' },
}

export const screen = defineScreen<PasskeyEnrollView>({
  title: (_view, t) => t('passkey.title'),
  component: PasskeyEnrollScreen,
  passkeys: () => true,
  samples: [SAMPLE, { ...SAMPLE, reason: 'other-device', notice: 'passkey_not_added' }],
})
