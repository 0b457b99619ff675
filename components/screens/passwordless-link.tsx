import type { Translate } from '../../lib/pages/texts/messages'
import type { PasswordlessLinkAction, PasswordlessLinkView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { NumberField } from '../number-field'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const LOGIN: PasswordlessLinkAction = 'login'
const APPROVE: PasswordlessLinkAction = 'approve'
const REJECT: PasswordlessLinkAction = 'reject'

type Phase<P> = Extract<PasswordlessLinkView, { phase: P }>

/** Only a button acts: mail scanners follow links but do not submit forms. */
export function PasswordlessLinkScreen({ view, t }: { view: PasswordlessLinkView; t: Translate }) {
  switch (view.phase) {
    case 'here':
      return <Here view={view} t={t} />
    case 'elsewhere':
      return <Elsewhere view={view} t={t} />
    case 'approved':
      return <AuthCard title={t('push.approved_title')} lead={t('push.approved_body')} />
    case 'rejected':
      return <AuthCard title={t('push.rejected_title')} lead={t('passwordless.rejected_body')} />
  }
}

type Props = { view: Phase<'here' | 'elsewhere'>; t: Translate }

const Here = ({ view: { client, email, action, fields, typed, replaces }, t }: Props) => (
  <AuthCard
    title={t('passwordless.link_title', { client: client.name })}
    lead={typed ? t('passwordless.confirm_lead', { user: email }) : t('passwordless.link_lead', { email })}
    picture={<ClientLogo client={client} />}
  >
    {replaces !== undefined && <p>{t('passwordless.replaces', { user: replaces })}</p>}
    <TransactionForm action={action} fields={fields}>
      <SubmitButton value={LOGIN}>{t('login.submit')}</SubmitButton>
    </TransactionForm>
  </AuthCard>
)

/** A click alone is not enough: the number proves that the reader of the mail sees the login. */
const Elsewhere = ({ view: { client, email, action, fields }, t }: Props) => (
  <AuthCard
    title={t('push.prompt_title')}
    lead={t('push.prompt_lead', { client: client.name, user: email })}
    picture={<ClientLogo client={client} />}
  >
    <p>{t('passwordless.elsewhere')}</p>
    <TransactionForm action={action} fields={fields}>
      <NumberField t={t} />
      <div className="form-choice">
        <SubmitButton value={APPROVE}>{t('push.approve')}</SubmitButton>
        <SubmitButton value={REJECT} look="secondary" skipValidation>
          {t('passwordless.not_me')}
        </SubmitButton>
      </div>
    </TransactionForm>
  </AuthCard>
)
