import type { ClientView, NoticeCode, ScopeView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLinks, type ClientLinksView } from '../client-links'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { Notice } from '../notice'
import { ScopeList } from '../scope-list'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/** Posts: state, action=accept|deny. */
type ConsentView = {
  action: string
  state: string
  /** `returnsTo`: the host or the app's scheme that gets the response; the only proven fact about a third party. */
  client: ClientView & ClientLinksView & { thirdParty: boolean; returnsTo?: string }
  user: { name: string; email?: string }
  /** Name of the API that the API scopes belong to. */
  audienceName?: string
  scopes: ScopeView[]
  /** Some of them may change how the user signs in. */
  changesSignIn?: true
  notice?: NoticeCode
}

type Action = 'accept' | 'deny'

const ACCEPT: Action = 'accept'
const DENY: Action = 'deny'

/** Both answers are buttons of one size: refusing must be as easy as accepting. */
function ConsentScreen({ view, t }: ScreenProps<ConsentView>) {
  const { client, user, branding } = view
  return (
    <AuthCard
      title={t('consent.title', { client: client.name })}
      lead={t('consent.lead')}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={view.notice} t={t} />
      <ScopeList scopes={view.scopes} audienceName={view.audienceName} t={t} />
      {view.changesSignIn && (
        <p className="aside">{t('consent.changes_sign_in', { client: client.name, user: user.email ?? user.name })}</p>
      )}
      {client.thirdParty && (
        <p className="aside">{t('consent.third_party', { client: client.name, tenant: branding.tenantName })}</p>
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
        <ClientLinks client={client} t={t} />
      </div>
    </AuthCard>
  )
}

const SAMPLE: ConsentView = {
  ...SAMPLE_FORM,
  client: { ...SAMPLE_CLIENT, thirdParty: true },
  user: { name: 'Ada' },
  scopes: [{ value: 'openid' }, { value: 'email', description: 'Read all your mail' }, { value: 'write:notes' }],
}

export const screen = defineScreen<ConsentView>({
  title: ({ client }, t) => t('consent.title', { client: client.name }),
  component: ConsentScreen,
  samples: [
    SAMPLE,
    {
      ...SAMPLE,
      client: { ...SAMPLE_CLIENT, thirdParty: false },
      changesSignIn: true,
      scopes: [{ value: 'openid' }, { value: 'enroll', description: 'Add a second factor' }],
    },
    { ...SAMPLE, client: { ...SAMPLE.client, policyUrl: 'https://a.test/p', termsUrl: 'https://a.test/t' } },
  ],
})
