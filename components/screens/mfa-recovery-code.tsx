import type { Translate } from '../../lib/pages/texts/messages'
import type { MfaRecoveryCodeAction, MfaRecoveryCodeView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { SecretText } from '../secret-text'
import { SubmitButton } from '../submit-button'
import { TransactionForm } from '../transaction-form'

const SAVED: MfaRecoveryCodeAction = 'mfa-saved'

type Props = { view: MfaRecoveryCodeView; tenantName: string; t: Translate }

export function MfaRecoveryCodeScreen({ view, tenantName, t }: Props) {
  const about = t('recovery.file', { user: view.user, tenant: tenantName })
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
