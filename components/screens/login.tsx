import type {
  CaptchaView,
  ClientView,
  DatabaseView,
  IdentifierKind,
  NoticeCode,
  PasskeyView,
  ProviderView,
  UnreachedView,
} from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { CaptchaField } from '../captcha-field'
import { ClientLinks, type ClientLinksView } from '../client-links'
import { ClientLogo } from '../client-logo'
import { DatabaseField } from '../database-field'
import {
  defineScreen,
  SAMPLE_CAPTCHAS,
  SAMPLE_CLIENT,
  SAMPLE_DATABASES,
  SAMPLE_FORM,
  type ScreenProps,
} from '../define-screen'
import { leadOf, nameOf } from '../lead'
import { errorIdOf, Notice, unreachedWords } from '../notice'
import { PasskeyCapability, PasskeyCeremony } from '../passkey-ceremony'
import { PasswordField } from '../password-field'
import { LastUsed, ProviderButtons } from '../provider-buttons'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/**
 * Posts: state, username, password, database (if `databases`), action=login|cancel; or, before the password, state, username, action=identify; or state,
 * passkey_session, passkey_response, action=passkey. `passkeys` says whether the device can create them.
 */
export type LoginView = {
  /** The address that the form posts to. */
  action: string
  /** The transaction's handle, posted back as `state`. */
  state: string
  client: ClientView & ClientLinksView
  /** The name of the organization that the login is for. */
  organization?: string
  /** Who invited the person to it. */
  inviter?: string
  identifierKind: IdentifierKind
  /** Where the person chooses one, beside the password. */
  databases?: DatabaseView[]
  /** The fields of the form; absent means identifier and password. */
  asks?: 'identifier' | 'nothing'
  /** The page before asked for the identifier. */
  identifierFirst?: true
  /** In display order. */
  providers?: ProviderView[]
  /** Prefills the first field: the last attempt, or `login_hint`. */
  identifier?: string
  notice?: NoticeCode
  /** Beside the notice `upstream_failed`, where the cause is known. */
  unreached?: UnreachedView
  signUpUrl?: string
  resetUrl?: string
  /** The accounts that signed in with this browser. */
  accountsUrl?: string
  /** The last login of this browser was one by code. */
  lastUsedCode?: true
  /** The address of the login by code instead of a password. */
  passwordlessUrl?: string
  /** The login lets the client change how the user signs in. */
  changesSignIn?: true
  /** The user proves another account, which is then linked. */
  linking?: true
  /** Absent where the connection offers none. */
  passkey?: PasskeyView & { ui: 'both' | 'autofill' | 'button' }
  /** Absent where none is demanded. */
  captcha?: CaptchaView
  /** Offers a button that sends the user back to the app. */
  cancel: boolean
}

export type LoginAction = 'login' | 'identify' | 'federated' | 'passkey' | 'cancel'

const LOGIN: LoginAction = 'login'
const IDENTIFY: LoginAction = 'identify'
const PASSKEY: LoginAction = 'passkey'
const CANCEL: LoginAction = 'cancel'

function titleOf({ linking, inviter }: LoginView, t: Translate): string {
  if (linking) return t('link.prove_title')
  return t(inviter === undefined ? 'login.title' : 'login.title_invited')
}

/** The field with the initial focus: the identifier while it is missing, else the password. */
function firstField(view: LoginView): 'username' | 'password' {
  const nameFirst: NoticeCode[] = ['missing_identifier', 'missing_credentials']
  return !view.identifier || (view.notice && nameFirst.includes(view.notice)) ? 'username' : 'password'
}

function LoginScreen({ view, t }: ScreenProps<LoginView>) {
  const { client, notice, identifierKind: kind, theme } = view
  const providersFirst = theme?.providersFirst === true
  return (
    <AuthCard
      title={titleOf(view, t)}
      lead={view.linking ? t('link.prove_lead') : leadOf(view, t)}
      picture={<ClientLogo client={client} />}
    >
      <Notice notice={notice} kind={kind} words={view.unreached && unreachedWords(view.unreached, t)} t={t} />
      {view.changesSignIn && <p className="aside">{t('login.changes_sign_in', { client: nameOf(client, t) })}</p>}
      {providersFirst && <ProviderButtons view={view} first t={t} />}
      {view.asks !== 'nothing' && <IdentifierForm view={view} t={t} />}
      <Passkey view={view} t={t} />
      {!providersFirst && <ProviderButtons view={view} t={t} />}
      {view.asks === 'nothing' && view.cancel && (
        <TransactionForm action={view.action} fields={{ state: view.state }}>
          <CancelButton view={view} t={t} />
        </TransactionForm>
      )}
      <OtherWays view={view} t={t} />
    </AuthCard>
  )
}

function IdentifierForm({ view, t }: ScreenProps<LoginView>) {
  const { notice, identifierKind: kind } = view
  const first = view.asks === 'identifier'
  const focus = first ? 'username' : firstField(view)
  return (
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <TextField
        name="username"
        label={t(`login.identifier.${kind}`)}
        autoComplete={suggestsPasskeys(view) ? 'username webauthn' : 'username'}
        inputMode={kind === 'username' ? 'text' : 'email'}
        defaultValue={view.identifier}
        autoFocus={focus === 'username'}
        errorId={errorIdOf(notice, 'username')}
      />
      {!first && <DatabaseField databases={view.databases} errorId={errorIdOf(notice, 'database')} t={t} />}
      {!first && view.passkey && <PasskeyCapability />}
      {!first && <PasswordField autoFocus={focus === 'password'} errorId={errorIdOf(notice, 'password')} t={t} />}
      {!first && <CaptchaField captcha={view.captcha} theme={view.theme} action={LOGIN} notice={notice} t={t} />}
      <div className="form-actions">
        <SubmitButton value={first ? IDENTIFY : LOGIN}>{t(first ? 'login.next' : 'login.submit')}</SubmitButton>
        {view.cancel && <CancelButton view={view} t={t} />}
      </div>
    </TransactionForm>
  )
}

const suggestsPasskeys = ({ passkey }: LoginView): boolean => passkey !== undefined && passkey.ui !== 'button'

function Passkey({ view, t }: { view: LoginView; t: Translate }) {
  const { passkey } = view
  if (!passkey) return null
  return (
    <TransactionForm action={view.action} fields={{ state: view.state }}>
      <PasskeyCapability />
      <PasskeyCeremony
        passkey={passkey}
        does="get"
        action={PASSKEY}
        label={t('passkey.sign_in')}
        autofill={suggestsPasskeys(view)}
        quiet={passkey.ui === 'autofill'}
        t={t}
      />
    </TransactionForm>
  )
}

const CancelButton = ({ view, t }: { view: LoginView; t: Translate }) => (
  <SubmitButton value={CANCEL} look="quiet" skipValidation>
    {t(view.linking ? 'link.back' : 'common.cancel')}
  </SubmitButton>
)

function OtherWays({ view, t }: { view: LoginView; t: Translate }) {
  const { client, resetUrl, signUpUrl, passwordlessUrl, accountsUrl } = view
  const all = [resetUrl, signUpUrl, passwordlessUrl, accountsUrl, client.policyUrl, client.termsUrl]
  if (all.every((url) => url === undefined)) return null
  return (
    <div className="card-foot">
      {passwordlessUrl && (
        <p>
          <TextLink href={passwordlessUrl}>{t('passwordless.instead')}</TextLink>{' '}
          {view.lastUsedCode && <LastUsed t={t} />}
        </p>
      )}
      {accountsUrl && (
        <p>
          <TextLink href={accountsUrl}>{t('login.accounts')}</TextLink>
        </p>
      )}
      {resetUrl && (
        <p>
          <TextLink href={resetUrl}>{t('login.forgot')}</TextLink>
        </p>
      )}
      {signUpUrl && (
        <p>
          {t('login.no_account')} <TextLink href={signUpUrl}>{t('login.sign_up')}</TextLink>
        </p>
      )}
      <ClientLinks client={client} t={t} />
    </div>
  )
}

/** It stands beside the password. */
const captchaIn = ({ asks, captcha }: LoginView) => (asks === undefined ? captcha : undefined)

const SAMPLE: LoginView = { ...SAMPLE_FORM, client: SAMPLE_CLIENT, identifierKind: 'either', cancel: true }

export const screen = defineScreen<LoginView>({
  title: titleOf,
  component: LoginScreen,
  passkeys: ({ passkey }) => passkey !== undefined,
  captcha: captchaIn,
  samples: [
    SAMPLE,
    {
      ...SAMPLE,
      providers: [
        { connection: 'google-oauth2', name: 'Google', initial: 'G' },
        { connection: 'github', name: 'GitHub', initial: 'G' },
        { connection: 'corp', name: 'Société Générale d’Import-Export', initial: 'S' },
      ],
    },
    { ...SAMPLE, organization: 'Acme', asks: 'identifier' },
    { ...SAMPLE, organization: 'Acme', inviter: 'Grace Hopper' },
    { ...SAMPLE, identifierFirst: true, identifier: 'ada@example.com' },
    { ...SAMPLE, asks: 'nothing', providers: [{ connection: 'corp', name: 'Corp', initial: 'C' }] },
    {
      ...SAMPLE,
      accountsUrl: '/u/select-account?state=the-state',
      passwordlessUrl: '/u/passwordless?state=the-state',
      lastUsedCode: true,
      providers: [{ connection: 'github', name: 'GitHub', initial: 'G', lastUsed: true }],
    },
    { ...SAMPLE, linking: true },
    { ...SAMPLE, notice: 'missing_database', databases: SAMPLE_DATABASES },
    { ...SAMPLE, client: { ...SAMPLE.client, policyUrl: 'https://a.test/p', termsUrl: 'https://a.test/t' } },
    { ...SAMPLE, passkey: { ui: 'both', session: 's', challenge: 'c', options: '{"rpId":"id.test"}' } },
    { ...SAMPLE, passkey: { ui: 'autofill', session: 's', challenge: 'c', options: '{}', stray: 'c' } },
    { ...SAMPLE, passwordlessUrl: '/u/passwordless?state=the-state' },
    ...SAMPLE_CAPTCHAS.map((captcha) => ({ ...SAMPLE, identifier: 'ada', captcha })),
  ],
})
