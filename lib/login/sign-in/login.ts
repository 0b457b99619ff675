// The login page: a password, a passkey or an upstream provider, and the links to the other pages of a sign-in.
import { connectionLabel } from '../../data/connections/connection'
import type { ViewOf } from '../../pages/screens'
import type { NoticeCode, UnreachedView } from '../../pages/view'
import { hasToEnroll, mayChangeSignIn } from '../flow/authenticated'
import { toProve } from '../flow/linking'
import { signInByPasskeyView } from '../flow/passkey'
import { changeOf, linksOf } from '../flow/person-views'
import { waysIn } from '../flow/ways-in'
import { cancel } from '../forms/cancel'
import { withCodeByMail } from '../forms/captcha'
import { goToProvider, identify } from '../forms/federated'
import { signInByPasskey } from '../forms/passkey'
import { password } from '../forms/password'
import type { LoginState } from '../login-state'
import type { LoginPage, PageContext } from '../steps/step'
import { offersAccounts, offersReset, offersSignUp } from './due-screens'

export const loginPage: LoginPage<'login'> = {
  screen: 'login',
  view: viewOf,
  actions: [...withCodeByMail(password), signInByPasskey, identify, goToProvider, cancel],
}

function viewOf({ state, transaction, shared, forOrganization, captchaOf, urlOf, deps }: PageContext): ViewOf<'login'> {
  const { identifier } = transaction.decisions
  const passkey = signInByPasskeyView(state, transaction.handleDigest, deps)
  return {
    screen: 'login',
    cancel: true,
    ...shared,
    client: { ...shared.client, ...linksOf(state.client) },
    ...forOrganization,
    ...waysIn(state),
    ...changeOf(state),
    ...(offersAccounts(state) ? { accountsUrl: urlOf('select-account') } : {}),
    ...(state.databases.length > 0 && offersReset(state) ? { resetUrl: urlOf('forgot-password') } : {}),
    ...(offersSignUp(state) ? { signUpUrl: urlOf('signup') } : {}),
    ...(state.passwordless.length > 0 ? { passwordlessUrl: urlOf('passwordless') } : {}),
    ...(toProve(state) ? { linking: true as const } : {}),
    ...(identifier === undefined ? {} : { identifier }),
    ...(shared.notice === undefined ? reasonOf(state) : {}),
    ...(shared.notice === 'upstream_failed' ? unreachedView(state) : {}),
    ...(passkey === null ? {} : { passkey }),
    ...(state.databases.length === 0 ? {} : captchaOf('login')),
  }
}

function unreachedView({ connections, decisions: { unreached } }: LoginState): { unreached?: UnreachedView } {
  const connection = connections.find(({ id }) => id === unreached?.connectionId)
  return connection && unreached ? { unreached: { provider: connectionLabel(connection), why: unreached.why } } : {}
}

/** Why a user who has signed in before is asked again. */
function reasonOf(state: LoginState): { notice?: NoticeCode } {
  const { user, wants, decisions } = state
  if (user && wants.prompt.includes('login')) return { notice: 'reauthentication' }
  if (user && (wants.maxAge !== null || mayChangeSignIn(state) || hasToEnroll(state))) return { notice: 'session_old' }
  return decisions.sessionEnded && decisions.identified === undefined ? { notice: 'session_ended' } : {}
}
