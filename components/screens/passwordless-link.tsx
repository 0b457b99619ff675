import type { ClientView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT } from '../define-screen'
import { NumberField } from '../number-field'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/**
 * Opened by the link of a mail; only a button acts. `here` posts: every field, action=login. `elsewhere`, in a browser other
 * than the waiting one, posts: every field, number, action=approve|reject.
 */
type PasswordlessLinkView = { client: ClientView } & (
  | {
      phase: 'here' | 'elsewhere'
      action: string
      fields: Record<string, string>
      /** The address that the link or code was sent to. */
      email: string
      /** A code was typed elsewhere, instead of a link that was opened. */
      typed?: true
      /** The user who is signed in in this browser, if it is another user. */
      replaces?: string
    }
  | { phase: 'approved' | 'rejected' }
)

type Action = 'login' | 'approve' | 'reject'

const LOGIN: Action = 'login'
const APPROVE: Action = 'approve'
const REJECT: Action = 'reject'

type Phase<P> = Extract<PasswordlessLinkView, { phase: P }>

/** Only a button acts: mail scanners follow links but do not submit forms. */
function PasswordlessLinkScreen({ view, t }: { view: PasswordlessLinkView; t: Translate }) {
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

function titleOf({ phase, client }: PasswordlessLinkView, t: Translate): string {
  if (phase === 'here') return t('passwordless.link_title', { client: client.name })
  return t(phase === 'elsewhere' ? 'push.prompt_title' : `push.${phase}_title`)
}

const SAMPLE = { client: SAMPLE_CLIENT, email: 'ada@example.com' }

export const screen = defineScreen<PasswordlessLinkView>({
  title: titleOf,
  component: PasswordlessLinkScreen,
  samples: [
    {
      ...SAMPLE,
      phase: 'elsewhere',
      action: '/u/passwordless-link',
      fields: { state: 'the-state', ticket: 't' },
    },
    { client: SAMPLE_CLIENT, phase: 'approved' },
    { client: SAMPLE_CLIENT, phase: 'rejected' },
    {
      ...SAMPLE,
      phase: 'here',
      action: '/passwordless/verify_redirect',
      fields: { connection: 'email', email: 'ada@example.com', verification_code: 'v', confirmation: 'c' },
    },
  ],
})
