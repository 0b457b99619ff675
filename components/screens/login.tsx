import type { Translate } from '../../lib/pages/texts/messages'
import type { LoginAction, LoginView, NoticeCode } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { ClientLogo } from '../client-logo'
import { errorIdOf, Notice } from '../notice'
import { PasswordField } from '../password-field'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

const LOGIN: LoginAction = 'login'
const CANCEL: LoginAction = 'cancel'

/** The field to type into next: the name while it is missing, else the password. */
function firstField(view: LoginView): 'username' | 'password' {
  const nameFirst: NoticeCode[] = ['missing_identifier', 'missing_credentials']
  return !view.identifier || (view.notice && nameFirst.includes(view.notice)) ? 'username' : 'password'
}

export function LoginScreen({ view, t }: { view: LoginView; t: Translate }) {
  const { client, notice, identifierKind: kind } = view
  const focus = firstField(view)
  return (
    <AuthCard
      title={t('login.title')}
      lead={t('login.lead', { client: client.name })}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} kind={kind} t={t} />
      <TransactionForm action={view.action} fields={{ state: view.state }}>
        <TextField
          name="username"
          label={t('login.identifier', { kind })}
          autoComplete="username"
          inputMode={kind === 'username' ? 'text' : 'email'}
          defaultValue={view.identifier}
          autoFocus={focus === 'username'}
          errorId={errorIdOf(notice, 'username')}
        />
        <PasswordField autoFocus={focus === 'password'} errorId={errorIdOf(notice, 'password')} t={t} />
        <div className="form-actions">
          <SubmitButton value={LOGIN}>{t('login.submit')}</SubmitButton>
          {view.cancel && (
            <SubmitButton value={CANCEL} look="quiet" skipValidation>
              {t('common.cancel')}
            </SubmitButton>
          )}
        </div>
      </TransactionForm>
      <OtherWays view={view} t={t} />
    </AuthCard>
  )
}

function OtherWays({ view, t }: { view: LoginView; t: Translate }) {
  if (!view.resetUrl && !view.signUpUrl && !view.passwordlessUrl) return null
  return (
    <div className="card-foot">
      {view.passwordlessUrl && (
        <p>
          <TextLink href={view.passwordlessUrl}>{t('passwordless.instead')}</TextLink>
        </p>
      )}
      {view.resetUrl && (
        <p>
          <TextLink href={view.resetUrl}>{t('login.forgot')}</TextLink>
        </p>
      )}
      {view.signUpUrl && (
        <p>
          {t('login.no_account')} <TextLink href={view.signUpUrl}>{t('login.sign_up')}</TextLink>
        </p>
      )}
    </div>
  )
}
