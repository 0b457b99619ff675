import type { ClientView, NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { CODE_FIELD, CodeField } from '../code-field'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM } from '../define-screen'
import { MatchNumber } from '../match-number'
import { errorIdOf, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * The page is the same for known and unknown addresses. Posts: state, code, action=check-code|cancel; state,
 * action=check-link|cancel; or state, action=resend-code.
 */
type PasswordlessCodeView = {
  action: string
  state: string
  client: ClientView
  address: string
  sends: 'code' | 'link' | 'both'
  /**
   * Present while a sent link is valid. `number`: the number that another browser requires. `answered`: submitting the form
   * continues.
   */
  link?: { phase: 'waiting' | 'answered'; number: string }
  /** Seconds until another message can be sent. */
  waitSeconds: number
  notice?: NoticeCode
  /** The page that accepts another address. */
  addressUrl: string
  loginUrl?: string
  cancel: boolean
}

type Action = 'check-code' | 'check-link' | 'resend-code' | 'cancel'

const CHECK: Action = 'check-code'
const CHECK_LINK: Action = 'check-link'
const RESEND: Action = 'resend-code'
const CANCEL: Action = 'cancel'

type Props = { view: PasswordlessCodeView; t: Translate }

function PasswordlessCodeScreen({ view, t }: Props) {
  const { client, notice, address, addressUrl, loginUrl, sends } = view
  return (
    <AuthCard
      title={t(sends === 'link' ? 'passwordless.link_sent_title' : 'enroll.code.title')}
      lead={t(LEADS[sends], { address })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} t={t} />
      {sends !== 'link' && <EnterCode view={view} t={t} />}
      {view.link && <OpenLink view={view} link={view.link} t={t} />}
      <Again view={view} t={t} />
      <div className="card-foot">
        <p>
          <TextLink href={addressUrl}>{t('passwordless.other_address')}</TextLink>
        </p>
        {loginUrl && (
          <p>
            <TextLink href={loginUrl}>{t('passwordless.with_password')}</TextLink>
          </p>
        )}
      </div>
    </AuthCard>
  )
}

const LEADS = {
  code: 'passwordless.code_lead',
  link: 'passwordless.link_sent',
  both: 'passwordless.both_sent',
} as const

const EnterCode = ({ view, t }: Props) => (
  <TransactionForm action={view.action} fields={{ state: view.state }}>
    <CodeField errorId={errorIdOf(view.notice, CODE_FIELD)} t={t} />
    <div className="form-actions">
      <SubmitButton value={CHECK}>{t('login.submit')}</SubmitButton>
      <Cancel view={view} t={t} />
    </div>
  </TransactionForm>
)

/** comfort.js polls this page until the link was answered, and then submits the form. */
const OpenLink = ({
  view,
  link: { phase, number },
  t,
}: Props & { link: NonNullable<PasswordlessCodeView['link']> }) => (
  <>
    {phase === 'waiting' && <MatchNumber says={t('passwordless.number')} number={number} />}
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <p className="waiting" role="status" data-waiting={phase === 'waiting' ? '' : undefined}>
        {t(phase === 'waiting' ? 'passwordless.waiting' : 'passwordless.answered')}
      </p>
      <div className="form-actions">
        <SubmitButton value={CHECK_LINK} look={view.sends === 'both' ? 'secondary' : 'primary'}>
          {t(phase === 'waiting' ? 'passwordless.approved' : 'common.continue')}
        </SubmitButton>
        {view.sends === 'link' && <Cancel view={view} t={t} />}
      </div>
    </TransactionForm>
  </>
)

const Cancel = ({ view, t }: Props) =>
  view.cancel ? (
    <SubmitButton value={CANCEL} look="quiet" skipValidation>
      {t('common.cancel')}
    </SubmitButton>
  ) : null

/** The button always works, and the server refuses early requests; comfort.js counts down and disables it until then. */
const Again = ({ view: { action, state, waitSeconds, sends }, t }: Props) => (
  <TransactionForm action={action} fields={{ state }}>
    <p className="again">
      {waitSeconds > 0 && (
        <span data-countdown={String(waitSeconds)}>
          {t(sends === 'link' ? 'passwordless.link_again_in' : 'passwordless.again_in', {
            seconds: String(waitSeconds),
          })}
        </span>
      )}
      <button type="submit" name="action" value={RESEND} className="link">
        {t(sends === 'link' ? 'passwordless.link_again' : 'passwordless.again')}
      </button>
    </p>
  </TransactionForm>
)

const SAMPLE: PasswordlessCodeView = {
  ...SAMPLE_FORM,
  client: SAMPLE_CLIENT,
  address: 'ada@example.com',
  sends: 'code',
  waitSeconds: 28,
  addressUrl: '/u/passwordless?state=the-state',
  loginUrl: '/u/login?state=the-state',
  cancel: true,
}

export const screen = defineScreen<PasswordlessCodeView>({
  title: ({ sends }, t) => t(sends === 'link' ? 'passwordless.link_sent_title' : 'enroll.code.title'),
  component: PasswordlessCodeScreen,
  waits: ({ link }) => link?.phase === 'waiting',
  samples: [
    SAMPLE,
    { ...SAMPLE, address: '+491701234567', waitSeconds: 0, notice: 'wrong_code' },
    { ...SAMPLE, sends: 'link', link: { phase: 'waiting', number: '47' } },
    { ...SAMPLE, sends: 'link', waitSeconds: 0, notice: 'link_rejected' },
    { ...SAMPLE, sends: 'both', waitSeconds: 0, link: { phase: 'answered', number: '47' } },
  ],
})
