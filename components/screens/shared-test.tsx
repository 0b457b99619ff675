import { defineScreen, type ScreenProps } from '../define-screen'
import { Report, ReportFacts, SAMPLE_REPORT, type SharedReport } from '../shared-report'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'
import { When } from '../when'

/** A test of logins for a person without an account: what it is of, the button that begins one, and what the last one came to. Posts: action=test. */
type SharedTestView = {
  action: string
  until: string
  triesLeft: number
  application?: string
  connection?: string
  organization?: string
  /** Who made the link. */
  maker?: string
  /** Of the request, by their names in the protocol. */
  parameters: readonly (readonly [string, string])[]
  /** The login that this browser began last. */
  login?: SharedReport
}

type Action = 'test'

const TEST: Action = 'test'

function SharedTestScreen({ view, t }: ScreenProps<SharedTestView>) {
  const { action, until, triesLeft, application, connection, organization, maker, parameters, login, locale } = view
  const facts = [
    [t('shared_login.connection'), connection && <bdi>{connection}</bdi>],
    [t('shared_login.application'), application && <bdi>{application}</bdi>],
    [t('shared_test.organization'), organization && <bdi>{organization}</bdi>],
    [t('shared_test.maker'), maker && <bdi>{maker}</bdi>],
    [t('shared_login.until'), <When key="until" at={until} locale={locale} />],
    [t('shared_test.tries'), triesLeft.toLocaleString(locale)],
    ...parameters.map(
      ([name, value]) =>
        [
          name,
          <span key={name} dir="ltr">
            {value}
          </span>,
        ] as const,
    ),
  ] as const
  return (
    <section className="report">
      <div className="flex flex-col gap-2">
        <h1 className="card-title">{t('shared_test.title')}</h1>
        <p className="card-lead">{t('shared_test.lead', { tenant: view.branding.tenantName })}</p>
      </div>
      {login && (
        <h2 className="report-title" id="result">
          {t(`shared_login.${login.outcome}`)}
        </h2>
      )}
      {triesLeft > 0 ? (
        <TransactionForm action={action} fields={{}}>
          <SubmitButton value={TEST} look={login?.outcome === 'succeeded' ? 'secondary' : 'primary'}>
            {t(login ? 'shared_test.again' : 'shared_test.begin')}
          </SubmitButton>
        </TransactionForm>
      ) : (
        <p>{t('shared_test.over')}</p>
      )}
      {login && <Report report={login} locale={locale} t={t} />}
      <h2 className="report-title">{t('shared_test.about')}</h2>
      <p>{t('shared_test.note')}</p>
      <ReportFacts facts={facts} />
    </section>
  )
}

const SAMPLE: SharedTestView = {
  ...{ action: '/shared-login/the-secret', until: '2027-01-22T08:00:00.000Z', triesLeft: 20 },
  ...{ application: 'Harbour Notes', connection: 'corp', organization: 'Acme', maker: 'Ada Lovelace' },
  parameters: [['scope', 'openid profile']],
}

export const screen = defineScreen<SharedTestView>({
  title: ({ login }, t) => t(login ? `shared_login.${login.outcome}` : 'shared_test.title'),
  component: SharedTestScreen,
  door: 'shut',
  samples: [
    SAMPLE,
    { ...SAMPLE, triesLeft: 19, login: SAMPLE_REPORT },
    { action: SAMPLE.action, until: SAMPLE.until, triesLeft: 0, connection: 'corp', parameters: [] },
  ],
})
