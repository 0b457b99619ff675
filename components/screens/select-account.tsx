import type { AccountView, ClientView, NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AccountList } from '../account-list'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { nameOf } from '../lead'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** The accounts that signed in with this browser. Posts: state, account, action=continue|switch|forget|cancel. */
type SelectAccountView = {
  action: string
  state: string
  client: ClientView
  accounts: AccountView[]
  notice?: NoticeCode
  cancel: boolean
}

type Action = 'continue' | 'switch' | 'forget' | 'cancel'

const CONTINUE: Action = 'continue'
const SWITCH: Action = 'switch'
const FORGET: Action = 'forget'
const CANCEL: Action = 'cancel'

function SelectAccountScreen({ view, t }: { view: SelectAccountView; t: Translate }) {
  const { accounts, client } = view
  const [first] = accounts
  const only = accounts.length === 1 ? first : undefined
  return (
    <AuthCard
      title={only ? t('account.title_one') : t('account.title')}
      lead={t('account.lead', { client: nameOf(client, t) })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <AccountList accounts={accounts} label={t('account.list')} signedIn={t('account.signed_in')} />
        <div className="form-actions">
          <SubmitButton value={CONTINUE}>
            {only ? t('account.continue_as', { user: only.name }) : t('account.continue')}
          </SubmitButton>
          <SubmitButton value={SWITCH} look="secondary">
            {t('account.switch')}
          </SubmitButton>
          {!only?.signedIn && (
            <SubmitButton value={FORGET} look="quiet">
              {t('account.forget')}
            </SubmitButton>
          )}
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

const ADA = { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' }
const SAMPLE: SelectAccountView = { ...SAMPLE_FORM, client: SAMPLE_CLIENT, accounts: [ADA], cancel: true }

export const screen = defineScreen<SelectAccountView>({
  title: (_view, t) => t('account.title'),
  component: SelectAccountScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, accounts: [{ ...ADA, signedIn: true }] },
    {
      ...SAMPLE,
      accounts: [
        { ...ADA, signedIn: true },
        { id: 'u2', name: 'Grace' },
      ],
    },
  ],
})
