import type { Translate } from '../../lib/text/catalogue'
import type { Locale } from '../../lib/text/locale'
import { AuthCard } from '../auth-card'
import { defineScreen, type ScreenProps } from '../define-screen'
import { NumberField } from '../number-field'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * On the phone that approves logins. `connect` posts: ticket, confirmation, action=connect; `prompt` posts: prompt, number,
 * action=approve|reject. `idle`, `approved` and `rejected` lead to the page that shows the next pending login. `confirmation` binds
 * the buttons to this browser.
 */
type PushDeviceView =
  | {
      phase: 'connect'
      action: string
      ticket: string
      confirmation: string
      /** Whose sign-ins the device would approve, masked, and the application of the enrolment. */
      user: string
      client: string
      /** The connection of this browser that ends then; `since` is in ISO 8601. */
      replaces?: { user: string; since: string }
    }
  | {
      phase: 'prompt'
      action: string
      prompt: string
      confirmation: string
      user: string
      client: string
      /** The IP address of the browser that requests the login. */
      ip: string
      /** Requires the number that the other screen shows. */
      number: boolean
    }
  | { phase: 'idle'; user: string; nextUrl: string }
  | { phase: 'connected' | 'approved' | 'rejected'; nextUrl: string }

type Action = 'connect' | 'approve' | 'reject'

const CONNECT: Action = 'connect'
const APPROVE: Action = 'approve'
const REJECT: Action = 'reject'

type Phase<P> = Extract<PushDeviceView, { phase: P }>

const dateIn = (locale: Locale, date: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

function PushDeviceScreen({ view, t }: ScreenProps<PushDeviceView>) {
  switch (view.phase) {
    case 'connect':
      return (
        <AuthCard title={t('push.connect_title')} lead={t('push.connect_lead')}>
          <p>{t('push.connect_for', { user: view.user, client: view.client })}</p>
          {view.replaces && (
            <p>
              {t('push.connect_replaces', { user: view.replaces.user, date: dateIn(view.locale, view.replaces.since) })}
            </p>
          )}
          <TransactionForm action={view.action} fields={{ ticket: view.ticket, confirmation: view.confirmation }}>
            <SubmitButton value={CONNECT}>{t('push.connect')}</SubmitButton>
          </TransactionForm>
        </AuthCard>
      )
    case 'prompt':
      return <Prompt view={view} t={t} />
    case 'idle':
      return (
        <AuthCard title={t('push.idle_title')} lead={t('push.idle_body', { user: view.user })}>
          <p data-waiting="">
            <TextLink href={view.nextUrl} look="secondary">
              {t('push.check')}
            </TextLink>
          </p>
        </AuthCard>
      )
    case 'connected':
    case 'approved':
    case 'rejected':
      return (
        <AuthCard title={t(`push.${view.phase}_title`)} lead={t(`push.${view.phase}_body`)}>
          <TextLink href={view.nextUrl} look="secondary">
            {t('push.open')}
          </TextLink>
        </AuthCard>
      )
  }
}

/** A tap alone is not enough: the number proves that the user of the phone sees the login. */
function Prompt({ view, t }: { view: Phase<'prompt'>; t: Translate }) {
  return (
    <AuthCard title={t('push.prompt_title')} lead={t('push.prompt_lead', { client: view.client, user: view.user })}>
      <TransactionForm action={view.action} fields={{ prompt: view.prompt, confirmation: view.confirmation }}>
        {view.number && <NumberField t={t} />}
        <div className="form-choice">
          <SubmitButton value={APPROVE}>{t('push.approve')}</SubmitButton>
          <SubmitButton value={REJECT} look="secondary" skipValidation>
            {t('push.reject')}
          </SubmitButton>
        </div>
      </TransactionForm>
      <p className="aside">{t('push.warning')}</p>
      <dl className="card-foot">
        <dt>{t('push.ip')}</dt>
        <dd>
          <bdi>{view.ip}</bdi>
        </dd>
      </dl>
    </AuthCard>
  )
}

const ACTION = '/u/device'
const CONNECTING: Phase<'connect'> = {
  phase: 'connect',
  action: ACTION,
  ticket: 't',
  confirmation: 'c',
  user: '***@exam*******',
  client: 'Harbour Notes',
}
const PROMPT: Phase<'prompt'> = {
  phase: 'prompt',
  action: ACTION,
  prompt: 'p',
  confirmation: 'c',
  user: 'ada@example.com',
  client: 'Harbour Notes',
  ip: '198.51.100.7',
  number: true,
}

export const screen = defineScreen<PushDeviceView>({
  title: ({ phase }, t) => t(`push.${phase}_title`),
  component: PushDeviceScreen,
  waits: ({ phase }) => phase === 'idle',
  samples: [
    CONNECTING,
    { ...CONNECTING, replaces: { user: 'kim@example.com', since: '2027-01-15T08:00:00.000Z' } },
    PROMPT,
    { ...PROMPT, number: false },
    { phase: 'idle', user: 'ada@example.com', nextUrl: ACTION },
    { phase: 'connected', nextUrl: ACTION },
    { phase: 'approved', nextUrl: ACTION },
    { phase: 'rejected', nextUrl: ACTION },
  ],
})
