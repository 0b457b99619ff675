import type { AccountView, ClientView, NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AccountList } from '../account-list'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TransactionForm } from '../transaction-form'

/**
 * The organizations of the person who has signed in. Posts: state, account, action=choose-organization|cancel; the search posts
 * state, search, action=search-organizations.
 */
type OrganizationPickerView = {
  action: string
  state: string
  client: ClientView
  organizations: AccountView[]
  /** Shown where there are more than the list has; the last search. */
  search?: string
  notice?: NoticeCode
}

type Action = 'choose-organization' | 'search-organizations' | 'cancel'

const CHOOSE: Action = 'choose-organization'
const SEARCH: Action = 'search-organizations'
const CANCEL: Action = 'cancel'

function OrganizationPickerScreen({ view, t }: { view: OrganizationPickerView; t: Translate }) {
  const { client, organizations } = view
  return (
    <AuthCard
      title={t('organization.pick_title')}
      lead={t('login.lead', { client: client.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      {view.search !== undefined && (
        <TransactionForm action={view.action} fields={{ state: view.state }}>
          <TextField
            name="search"
            label={t('organization.search')}
            autoComplete="off"
            required={false}
            maxLength={100}
            defaultValue={view.search}
          />
          <div className="form-actions">
            <SubmitButton value={SEARCH} look="secondary">
              {t('organization.search_submit')}
            </SubmitButton>
          </div>
        </TransactionForm>
      )}
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        {organizations.length > 0 && <AccountList accounts={organizations} label={t('organization.list')} />}
        <div className="form-actions">
          {organizations.length > 0 && <SubmitButton value={CHOOSE}>{t('common.continue')}</SubmitButton>}
          <SubmitButton value={CANCEL} look="quiet" skipValidation>
            {t('common.cancel')}
          </SubmitButton>
        </div>
      </TransactionForm>
    </AuthCard>
  )
}

const ACME = { id: 'org_acme', name: 'Acme' }
const SAMPLE: OrganizationPickerView = {
  ...SAMPLE_FORM,
  client: SAMPLE_CLIENT,
  organizations: [ACME, { id: 'org_harbour', name: 'Harbour Freight and Forwarding' }],
}

export const screen = defineScreen<OrganizationPickerView>({
  title: (_view, t) => t('organization.pick_title'),
  component: OrganizationPickerScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, organizations: [ACME] },
    { ...SAMPLE, organizations: [], search: 'zebra', notice: 'no_organization_found' },
  ],
})
