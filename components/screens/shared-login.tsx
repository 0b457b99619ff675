import { defineScreen, type ScreenProps } from '../define-screen'
import { Report, SAMPLE_REPORT, type SharedReport } from '../shared-report'

/** A copy of one login, for a person without an account. */
type SharedLoginView = SharedReport & { until: string }

const SharedLoginScreen = ({ view, t }: ScreenProps<SharedLoginView>) => (
  <section className="report">
    <div className="flex flex-col gap-2">
      <h1 className="card-title">{t(`shared_login.${view.outcome}`)}</h1>
      <p className="card-lead">{t('shared_login.lead')}</p>
    </div>
    <Report report={view} until={view.until} locale={view.locale} t={t} />
  </section>
)

const UNTIL = '2027-01-22T08:00:00.000Z'
const { id, startedAt } = SAMPLE_REPORT

export const screen = defineScreen<SharedLoginView>({
  title: ({ outcome }, t) => t(`shared_login.${outcome}`),
  component: SharedLoginScreen,
  door: 'shut',
  samples: [
    { ...SAMPLE_REPORT, until: UNTIL },
    {
      ...{ until: UNTIL, id, outcome: 'succeeded', startedAt },
      steps: [{ kind: 'event', subject: 'login', outcome: 'ok', lines: [], claims: {} }],
    },
    { until: UNTIL, id, outcome: 'waiting', startedAt, steps: [] },
  ],
})
