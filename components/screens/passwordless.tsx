import type { Translate } from '../../lib/pages/texts/messages'
import type { AddressKind, PasswordlessAction, PasswordlessView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { isErrorNotice, NOTICE_ID, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const SEND: PasswordlessAction = 'send-code'
const CANCEL: PasswordlessAction = 'cancel'
const FIELD = 'address'

const INPUT = {
  email: { type: 'email', autoComplete: 'email', inputMode: 'email' },
  phone: { type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  either: { type: 'text', autoComplete: 'username' },
} as const satisfies Record<AddressKind, unknown>

export function PasswordlessScreen({ view, t }: { view: PasswordlessView; t: Translate }) {
  const { client, notice, kind } = view
  const label = t('passwordless.identifier', { kind })
  const isAboutAddress = notice === 'invalid_email' || notice === 'invalid_phone'
  return (
    <AuthCard
      title={t(view.linking ? 'link.prove_title' : 'login.title')}
      lead={view.linking ? t('link.prove_lead') : t('login.lead', { client: client.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} fields={isAboutAddress ? [{ name: FIELD, label }] : []} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <div>
          <TextField
            name={FIELD}
            label={label}
            {...INPUT[kind]}
            maxLength={320}
            defaultValue={view.address}
            hintId="address-hint"
            errorId={isErrorNotice(notice) ? NOTICE_ID : undefined}
            autoFocus
          />
          <p className="field-help" id="address-hint">
            {t(view.sendsLink ? 'passwordless.hint_link' : 'passwordless.hint')}
          </p>
        </div>
        <div className="form-actions">
          <SubmitButton value={SEND}>{t(view.sendsLink ? 'forgot.submit' : 'mfa.send.code')}</SubmitButton>
          {view.cancel && (
            <SubmitButton value={CANCEL} look="quiet" skipValidation>
              {t(view.linking ? 'link.back' : 'common.cancel')}
            </SubmitButton>
          )}
        </div>
      </TransactionForm>
      {view.loginUrl && (
        <p className="card-foot">
          <TextLink href={view.loginUrl}>{t('passwordless.with_password')}</TextLink>
        </p>
      )}
    </AuthCard>
  )
}
