import type { Translate } from '../../lib/pages/texts/messages'
import type { Locale, PushDeviceAction, PushDeviceView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { NumberField } from '../number-field'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const CONNECT: PushDeviceAction = 'connect'
const APPROVE: PushDeviceAction = 'approve'
const REJECT: PushDeviceAction = 'reject'

type Phase<P> = Extract<PushDeviceView, { phase: P }>

const dateIn = (locale: Locale, date: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

type Props = { view: PushDeviceView; locale: Locale; t: Translate }

export function PushDeviceScreen({ view, locale, t }: Props) {
  switch (view.phase) {
    case 'connect':
      return (
        <AuthCard title={t('push.connect_title')} lead={t('push.connect_lead')}>
          <p>{t('push.connect_for', { user: view.user, client: view.client })}</p>
          {view.replaces && (
            <p>{t('push.connect_replaces', { user: view.replaces.user, date: dateIn(locale, view.replaces.since) })}</p>
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
