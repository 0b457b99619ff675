import type { ClientView, NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** How the user signs in to the other account: at this server, or with a provider, by its display name. */
type WayView = { kind: 'password' | 'email' | 'sms' } | { kind: 'provider'; name: string }

/** Suggests linking two accounts with the same verified address. Posts: state, action=link|keep-apart. */
type LinkAccountView = {
  action: string
  state: string
  client: ClientView
  /** The address of both accounts. */
  email: string
  ways: WayView[]
  notice?: NoticeCode
}

type Action = 'link' | 'keep-apart'

const LINK: Action = 'link'
const KEEP_APART: Action = 'keep-apart'

function LinkAccountScreen({ view, t }: { view: LinkAccountView; t: Translate }) {
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

const wayName = (way: WayView, t: Translate): string => (way.kind === 'provider' ? way.name : t(`link.way.${way.kind}`))

export const screen = defineScreen<LinkAccountView>({
  title: (_view, t) => t('link.title'),
  component: LinkAccountScreen,
  samples: [
    {
      ...SAMPLE_FORM,
      client: SAMPLE_CLIENT,
      email: 'ada@example.com',
      ways: [{ kind: 'password' }, { kind: 'email' }, { kind: 'sms' }, { kind: 'provider', name: 'Google' }],
    },
  ],
})
