import type { Translate } from '../../lib/pages/texts/messages'
import type { ConsentAction, ConsentView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { Notice } from '../notice'
import { ScopeList } from '../scope-list'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const ACCEPT: ConsentAction = 'accept'
const DENY: ConsentAction = 'deny'

type Props = { view: ConsentView; tenantName: string; t: Translate }

/** Both answers are buttons of one size: refusing must be as easy as accepting. */
export function ConsentScreen({ view, tenantName, t }: Props) {
  const { client, user } = view
  return (
    <AuthCard
      title={t('consent.title', { client: client.name })}
      lead={t('consent.lead')}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      <ScopeList scopes={view.scopes} audienceName={view.audienceName} t={t} />
      {client.thirdParty && (
        <p className="aside">{t('consent.third_party', { client: client.name, tenant: tenantName })}</p>
      )}
      {client.returnsTo && <p className="aside">{t('consent.returns_to', { place: client.returnsTo })}</p>}
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <div className="form-choice">
          <SubmitButton value={ACCEPT}>{t('consent.accept')}</SubmitButton>
          <SubmitButton value={DENY} look="secondary">
            {t('consent.deny')}
          </SubmitButton>
        </div>
      </TransactionForm>
      <div className="card-foot">
        <p>{t('common.signed_in_as', { user: user.email ?? user.name })}</p>
        {client.homepage && (
          <p>
            <TextLink href={client.homepage}>{t('consent.homepage', { client: client.name })}</TextLink>
          </p>
        )}
        {client.policyUrl && (
          <p>
            <TextLink href={client.policyUrl}>{t('consent.policy', { client: client.name })}</TextLink>
          </p>
        )}
        {client.termsUrl && (
          <p>
            <TextLink href={client.termsUrl}>{t('consent.terms', { client: client.name })}</TextLink>
          </p>
        )}
      </div>
    </AuthCard>
  )
}
