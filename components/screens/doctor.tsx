import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { NOTICE_ID, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TransactionForm } from '../transaction-form'

/** For operators. `ask` posts: token, action=examine. The findings are in English, like the log. */
type DoctorView =
  | { action: string; phase: 'ask'; notice?: 'wrong_operator_token' }
  | {
      phase: 'found'
      health: 'well' | 'doubtful' | 'ill'
      findings: readonly { about: string; health: 'well' | 'doubtful' | 'ill'; says: string }[]
    }

type Action = 'examine'

const EXAMINE: Action = 'examine'
const FIELD = 'token'
const MARKS = { well: '✓', doubtful: '!', ill: '✕' } as const

function DoctorScreen({ view, t }: { view: DoctorView; t: Translate }) {
  if (view.phase === 'found') return <Found view={view} t={t} />
  return (
    <AuthCard title={t('doctor.title')} lead={t('doctor.lead')}>
      <Notice notice={view.notice} fields={[{ name: FIELD, label: t('doctor.token') }]} t={t} />
      <TransactionForm action={view.action} fields={{}}>
        <TextField
          name={FIELD}
          type="password"
          label={t('doctor.token')}
          autoComplete="off"
          autoFocus
          errorId={view.notice && NOTICE_ID}
        />
        <SubmitButton value={EXAMINE}>{t('doctor.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}

/** The findings are in English, whatever the language of the page. */
function Found({ view, t }: { view: Extract<DoctorView, { phase: 'found' }>; t: Translate }) {
  return (
    <AuthCard title={t(`doctor.${view.health}`)}>
      <ul className="findings" lang="en" dir="ltr">
        {view.findings.map(({ about, health, says }) => (
          <li key={`${about} ${says}`} className={`finding finding-${health}`}>
            <span className="finding-mark" aria-hidden="true">
              {MARKS[health]}
            </span>
            <span>
              <span className="sr-only">{`${health}: `}</span>
              <strong>{about}</strong> {says}
            </span>
          </li>
        ))}
      </ul>
    </AuthCard>
  )
}

export const screen = defineScreen<DoctorView>({
  title: (view, t) => t(view.phase === 'ask' ? 'doctor.title' : `doctor.${view.health}`),
  component: DoctorScreen,
  samples: [
    { action: '/doctor', phase: 'ask', notice: 'wrong_operator_token' },
    {
      phase: 'found',
      health: 'ill',
      findings: [
        { about: 'clock', health: 'well', says: 'The clocks agree.' },
        { about: 'keys', health: 'doubtful', says: 'Rotate.' },
        { about: 'mail', health: 'ill', says: 'Set SMTP_URL.' },
      ],
    },
  ],
})
