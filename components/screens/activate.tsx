import type { ClientView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CLIENT } from '../define-screen'
import { NOTICE_ID, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TransactionForm } from '../transaction-form'

/**
 * Connects a device by its user code. `code` posts: user_code, action=continue; `confirm`: user_code, confirmation,
 * action=confirm|deny.
 */
type ActivateView =
  | { action: string; phase: 'code'; userCode?: string; notice?: 'wrong_user_code' }
  | ConfirmDeviceView
  | { action: string; phase: 'connected' | 'refused' }

type ConfirmDeviceView = {
  action: string
  phase: 'confirm'
  /** Shown for comparison with the device's code. */
  userCode: string
  /** Binds the button to this browser. */
  confirmation: string
  client: ClientView
  /** The user who is signed in in this browser, and would be on the device. */
  user?: { name: string; email?: string }
}

type Action = 'continue' | 'confirm' | 'deny'

const CONTINUE: Action = 'continue'
const CONFIRM: Action = 'confirm'
const DENY: Action = 'deny'
const FIELD = 'user_code'

function ActivateScreen({ view, t }: { view: ActivateView; t: Translate }) {
  switch (view.phase) {
    case 'confirm':
      return <ConfirmDevice view={view} t={t} />
    case 'connected':
      return (
        <AuthCard title={t('activate.done_title')} lead={t('activate.done_body')}>
          {null}
        </AuthCard>
      )
    case 'refused':
      return (
        <AuthCard title={t('activate.refused_title')} lead={t('activate.refused_body')}>
          {null}
        </AuthCard>
      )
    case 'code':
      return (
        <AuthCard title={t('activate.title')} lead={t('activate.lead')}>
          <Notice notice={view.notice} fields={[{ name: FIELD, label: t('activate.code') }]} t={t} />
          <TransactionForm action={view.action} fields={{}}>
            <TextField
              name={FIELD}
              label={t('activate.code')}
              autoComplete="off"
              autoCapitalize="characters"
              maxLength={60}
              defaultValue={view.userCode}
              autoFocus
              errorId={view.notice && NOTICE_ID}
            />
            <SubmitButton value={CONTINUE}>{t('common.continue')}</SubmitButton>
          </TransactionForm>
        </AuthCard>
      )
  }
}

/**
 * Shows the code for comparison. Refusing is as easy as accepting: a user who received the link from another person should
 * refuse.
 */
function ConfirmDevice({ view, t }: { view: ConfirmDeviceView; t: Translate }) {
  const { client, userCode, confirmation, user } = view
  return (
    <AuthCard
      title={t('activate.confirm_title', { client: client.name })}
      lead={t('activate.confirm_lead')}
      picture={<ClientLogo client={client} />}
    >
      <p className="text-center font-mono text-3xl font-semibold tracking-widest" dir="ltr">
        {userCode}
      </p>
      <p className="aside">{t('activate.confirm_warning')}</p>
      <TransactionForm action={view.action} fields={{ [FIELD]: userCode, confirmation }}>
        <div className="form-choice">
          <SubmitButton value={CONFIRM}>{t('activate.confirm')}</SubmitButton>
          <SubmitButton value={DENY} look="secondary">
            {t('activate.deny')}
          </SubmitButton>
        </div>
      </TransactionForm>
      {user && <p className="card-foot">{t('common.signed_in_as', { user: user.email ?? user.name })}</p>}
    </AuthCard>
  )
}

function titleOf(view: ActivateView, t: Translate): string {
  switch (view.phase) {
    case 'code':
      return t('activate.title')
    case 'confirm':
      return t('activate.confirm_title', { client: view.client.name })
    case 'connected':
      return t('activate.done_title')
    case 'refused':
      return t('activate.refused_title')
  }
}

const ACTION = '/activate'
const CONFIRMED: ActivateView = {
  action: ACTION,
  phase: 'confirm',
  userCode: 'BCDF-GHJK',
  confirmation: 'c',
  client: SAMPLE_CLIENT,
}

export const screen = defineScreen<ActivateView>({
  title: titleOf,
  component: ActivateScreen,
  samples: [
    { action: ACTION, phase: 'code' },
    { action: ACTION, phase: 'code', userCode: 'BCDF-GHJK', notice: 'wrong_user_code' },
    CONFIRMED,
    { ...CONFIRMED, user: { name: 'Ada' } },
    { action: ACTION, phase: 'connected' },
    { action: ACTION, phase: 'refused' },
  ],
})
