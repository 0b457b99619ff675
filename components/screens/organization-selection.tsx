import type { ClientView, NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TransactionForm } from '../transaction-form'

/** Asks for the organization before the login. Posts: state, organization, action=name-organization|cancel. */
type OrganizationSelectionView = {
  action: string
  state: string
  client: ClientView
  /** What finds the organization. */
  asks: 'name' | 'email' | 'either'
  notice?: NoticeCode
}

type Action = 'name-organization' | 'cancel'

const NAME: Action = 'name-organization'
const CANCEL: Action = 'cancel'

function OrganizationSelectionScreen({ view, t }: { view: OrganizationSelectionView; t: Translate }) {
  const { client, notice, asks } = view
  return (
    <AuthCard
      title={t('organization.title')}
      lead={t('login.lead', { client: client.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <TextField
          name="organization"
          label={t(asks === 'email' ? 'login.identifier.email' : `organization.${asks}`)}
          autoComplete={asks === 'email' ? 'username' : 'organization'}
          inputMode={asks === 'name' ? 'text' : 'email'}
          autoFocus
          errorId={errorIdOf(notice, 'organization')}
        />
        <div className="form-actions">
          <SubmitButton value={NAME}>{t('common.continue')}</SubmitButton>
          <SubmitButton value={CANCEL} look="quiet" skipValidation>
            {t('common.cancel')}
          </SubmitButton>
        </div>
      </TransactionForm>
    </AuthCard>
  )
}

const SAMPLE: OrganizationSelectionView = { ...SAMPLE_FORM, client: SAMPLE_CLIENT, asks: 'name' }

export const screen = defineScreen<OrganizationSelectionView>({
  title: (_view, t) => t('organization.title'),
  component: OrganizationSelectionScreen,
  samples: [SAMPLE, { ...SAMPLE, asks: 'either', notice: 'unknown_organization' }, { ...SAMPLE, asks: 'email' }],
})
