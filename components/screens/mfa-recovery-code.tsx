import type { ClientView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { defineScreen, SAMPLE_CLIENT, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { SecretText } from '../secret-text'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

/** Shows the recovery code once. Posts: state, action=mfa-saved. */
type MfaRecoveryCodeView = {
  action: string
  state: string
  client: ClientView
  code: string
  user: string
}

type Action = 'mfa-saved'

const SAVED: Action = 'mfa-saved'

function MfaRecoveryCodeScreen({ view, t }: ScreenProps<MfaRecoveryCodeView>) {
  const about = t('recovery.file', { user: view.user, tenant: view.branding.tenantName })
  return (
    <AuthCard title={t('recovery.title')} lead={t('recovery.lead')}>
      <SecretText id="recovery-code" text={view.code} label={about} t={t}>
        <a className="tool" href={fileOf(`${about}\n\n${view.code}\n`)} download="recovery-code.txt">
          {t('recovery.download')}
        </a>
        <button type="button" className="tool" hidden data-print="">
          {t('recovery.print')}
        </button>
      </SecretText>
      <p className="aside">{t('recovery.keep')}</p>
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <SubmitButton value={SAVED}>{t('recovery.submit')}</SubmitButton>
      </TransactionForm>
    </AuthCard>
  )
}

/** The file is a data URL in the page, so the code is neither sent nor stored a second time. */
const fileOf = (text: string): string => `data:text/plain;charset=utf-8,${encodeURIComponent(text.toWellFormed())}`

export const screen = defineScreen<MfaRecoveryCodeView>({
  title: (_view, t) => t('recovery.title'),
  component: MfaRecoveryCodeScreen,
  samples: [{ ...SAMPLE_FORM, client: SAMPLE_CLIENT, code: 'ABCD2345EFGH6789JKLM2345', user: 'ada@example.com' }],
})
