import type { Translate } from '../../lib/pages/texts/messages'
import type { LinkAccountAction, LinkAccountView, LinkWayView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const LINK: LinkAccountAction = 'link'
const KEEP_APART: LinkAccountAction = 'keep-apart'

export function LinkAccountScreen({ view, t }: { view: LinkAccountView; t: Translate }) {
  const { client, email, ways } = view
  return (
    <AuthCard title={t('link.title')} lead={t('link.lead', { email })} picture={<ClientLogo client={client} />}>
      <Notice notice={view.notice} t={t} />
      <div className="scopes">
        <div className="flex flex-col gap-2">
          <h2 className="scopes-heading">{t('link.ways')}</h2>
          <ul className="scopes-list">
            {ways.map((way) => (
              <li key={way.kind === 'provider' ? way.name : way.kind} className="scopes-item">
                <bdi>{wayName(way, t)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <p className="aside">{t('link.what')}</p>
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <div className="form-actions">
          <SubmitButton value={LINK}>{t('link.submit')}</SubmitButton>
          <SubmitButton value={KEEP_APART} look="secondary">
            {t('link.keep_apart')}
          </SubmitButton>
        </div>
      </TransactionForm>
    </AuthCard>
  )
}

const wayName = (way: LinkWayView, t: Translate): string =>
  way.kind === 'provider' ? way.name : t(`link.way.${way.kind}`)
