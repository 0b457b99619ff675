import type { AddressKind, CaptchaView, ClientView, NoticeCode } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { CaptchaField } from '../captcha-field'
import { ClientLogo } from '../client-logo'
import { defineScreen, SAMPLE_CAPTCHAS, SAMPLE_CLIENT, SAMPLE_FORM, type ScreenProps } from '../define-screen'
import { nameOf } from '../lead'
import { isErrorNotice, NOTICE_ID, Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/** Posts: state, address, action=send-code|cancel. */
type PasswordlessView = {
  action: string
  state: string
  client: ClientView
  kind: AddressKind
  /** The message contains a link and no code. */
  sendsLink?: true
  address?: string
  /** The user proves another account, which is then linked. */
  linking?: true
  /** Absent where none is demanded. */
  captcha?: CaptchaView
  notice?: NoticeCode
  /** The address of the login by password, where there is one. */
  loginUrl?: string
  cancel: boolean
}

type Action = 'send-code' | 'cancel'

const SEND: Action = 'send-code'
const CANCEL: Action = 'cancel'
const FIELD = 'address'

const INPUT = {
  email: { type: 'email', autoComplete: 'email', inputMode: 'email' },
  phone: { type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  either: { type: 'text', autoComplete: 'username' },
} as const satisfies Record<AddressKind, unknown>

function PasswordlessScreen({ view, t }: ScreenProps<PasswordlessView>) {
  const { client, notice, kind } = view
  const label = t(`passwordless.identifier.${kind}`)
  const isAboutAddress = notice === 'invalid_email' || notice === 'invalid_phone'
  return (
    <AuthCard
      title={t(view.linking ? 'link.prove_title' : 'login.title')}
      lead={view.linking ? t('link.prove_lead') : t('login.lead', { client: nameOf(client, t) })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} fields={isAboutAddress ? [{ name: FIELD, label }] : []} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <div className="field-group">
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
        <CaptchaField captcha={view.captcha} theme={view.theme} action={SEND} notice={notice} t={t} />
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

const SAMPLE: PasswordlessView = { ...SAMPLE_FORM, client: SAMPLE_CLIENT, kind: 'email', cancel: true }

export const screen = defineScreen<PasswordlessView>({
  title: ({ linking }, t) => t(linking ? 'link.prove_title' : 'login.title'),
  component: PasswordlessScreen,
  captcha: ({ captcha }) => captcha,
  samples: [
    SAMPLE,
    { ...SAMPLE, kind: 'phone', address: '0170', notice: 'invalid_phone' },
    { ...SAMPLE, kind: 'either', loginUrl: '/u/login?state=the-state' },
    { ...SAMPLE, sendsLink: true },
    { ...SAMPLE, captcha: SAMPLE_CAPTCHAS[1] },
  ],
})
