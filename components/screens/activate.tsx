import type { Translate } from '../../lib/pages/texts/messages'
import type { ActivateAction, ActivateView, ConfirmDeviceView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { NOTICE_ID, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TransactionForm } from '../transaction-form'

const CONTINUE: ActivateAction = 'continue'
const CONFIRM: ActivateAction = 'confirm'
const DENY: ActivateAction = 'deny'
const FIELD = 'user_code'

export function ActivateScreen({ view, t }: { view: ActivateView; t: Translate }) {
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
              maxLength={40}
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
