// The address and the data of each screen of a login. Pages get plain data; they know neither protocol nor store.

import type { Client } from '../../data/clients/client'
import { PORTAL_CLIENT } from '../../data/clients/portal'
import { connectionLabel } from '../../data/connections/connection'
import { spokenName } from '../../data/organizations/organization'
import { displayNameOf, type User } from '../../data/users/user'
import type { CaptchaUse } from '../../identity/captcha/demand'
import type { Parameters } from '../../kernel/parameters'
import { parseUrl } from '../../kernel/url'
import { type LoginScreen, type ScreenView, screenPath } from '../../pages/screens'
import { type AccountView, type CaptchaView, NOTICE_CODES, type NoticeCode, type UnreachedView } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { RecalledFor } from '../transaction'
import { forgotPasswordView, signUpView } from '../views/account-views'
import { linkAccountView } from '../views/link-view'
import { mfaChallengeView, mfaEnrollView, mfaRecoveryCodeView } from '../views/mfa-views'
import { organizationPickerView, organizationSelectionView } from '../views/organization-views'
import { passwordlessCodeView, passwordlessView } from '../views/passwordless-views'
import type { VisitorResponse } from '../visitor-response'
import { captchaView } from './captcha'
import { toProve } from './linking'
import { userOf } from './mfa-subject'
import type { OpenTransaction } from './open'
import { signInByPasskeyView, signUpByPasskeyView } from './passkey'
import { hasToEnroll, type LoginState, mayChangeSignIn, toAgree } from './requirements'
import { offersAccounts, offersReset, offersSignUp } from './sign-in-screens'
import { waysIn } from './ways-in'

const SUBMIT_PATH = '/u/submit'

/** In the URL of a login's first page and its forms; later URLs of the login are without it (open.ts). */
const FRESH = 'fresh=1'

/** The purpose, if a URL with these parameters may read the transaction as it started from the cache. */
export const freshFor = ({ fresh }: Parameters, purpose: RecalledFor): RecalledFor | null =>
  fresh === '1' ? purpose : null

export function screenUrl(screen: LoginScreen, handle: string, notice?: NoticeCode): string {
  const query = `state=${encodeURIComponent(handle)}`
  return `${screenPath(screen)}?${query}${notice === undefined ? '' : `&notice=${notice}`}`
}

/** The redirect to a screen after a step of the login. */
export const showScreen = (
  screen: LoginScreen,
  handle: string,
  { baseUrl }: Pick<LoginDeps, 'baseUrl'>,
  notice?: NoticeCode,
): VisitorResponse => ({ kind: 'see-other', to: baseUrl + screenUrl(screen, handle, notice) })

export const firstUrl = (screen: LoginScreen, handle: string): string => `${screenUrl(screen, handle)}&${FRESH}`

type ViewDeps = Pick<
  LoginDeps,
  'settings' | 'vault' | 'tenantId' | 'tickets' | 'random' | 'clock' | 'baseUrl' | 'relyingPartyId'
>

export function viewOf(
  { handle, state, transaction, fresh }: OpenTransaction & { fresh: boolean },
  screen: LoginScreen,
  notice: string | undefined,
  deps: ViewDeps,
): ScreenView {
  const { vault } = deps
  const known = NOTICE_CODES.find((code) => code === notice)
  const shared = {
    action: fresh ? `${SUBMIT_PATH}?${FRESH}` : SUBMIT_PATH,
    state: handle,
    client: clientView(state.client),
    ...(known === undefined ? {} : { notice: known }),
  }
  const forOrganization = {
    ...(state.organization ? { organization: spokenName(state.organization) } : {}),
    ...(state.invitation ? { inviter: state.invitation.inviter } : {}),
  }
  const captchaOf = (use: CaptchaUse): { captcha?: CaptchaView } => {
    const captcha = captchaView(use, state, transaction.handleDigest, deps)
    return captcha === null ? {} : { captcha }
  }
  const urlOf = (other: LoginScreen): string => screenUrl(other, handle)
  switch (screen) {
    case 'login': {
      const passkey = signInByPasskeyView(state, transaction.handleDigest, deps)
      return {
        screen,
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
        ...(transaction.decisions.identifier === undefined ? {} : { identifier: transaction.decisions.identifier }),
        ...(known === undefined ? reasonOf(state) : {}),
        ...(known === 'upstream_failed' ? unreachedView(state) : {}),
        ...(passkey === null ? {} : { passkey }),
        ...(state.databases.length === 0 ? {} : captchaOf('login')),
      }
    }
    case 'signup':
      return signUpView(
        state,
        { ...shared, ...forOrganization, ...captchaOf('sign_up') },
        urlOf('login'),
        signUpByPasskeyView(state, transaction.handleDigest, deps),
      )
    case 'forgot-password': {
      const urls = { loginUrl: urlOf('login'), againUrl: urlOf('forgot-password') }
      return forgotPasswordView(state, { ...shared, ...captchaOf('password_reset') }, urls)
    }
    case 'account-locked': {
      const { bruteForceProtection } = deps.settings.attackProtection
      return {
        screen,
        action: shared.action,
        state: handle,
        ...(known === undefined || known === 'too_many_attempts' ? {} : { notice: known }),
        ...(state.identifierFirst ? { identifierFirst: true as const } : {}),
        identifier: state.decisions.identifier ?? '',
        mails: bruteForceProtection.shields.includes('user_notification'),
        loginUrl: urlOf('login'),
        ...(offersReset(state) ? { resetUrl: urlOf('forgot-password') } : {}),
      }
    }
    case 'passwordless':
      return passwordlessView(
        state,
        { ...shared, ...captchaOf('passwordless') },
        { loginUrl: urlOf('login'), addressUrl: urlOf('passwordless') },
      )
    case 'passwordless-code':
      return passwordlessCodeView(state, shared, { loginUrl: urlOf('login'), addressUrl: urlOf('passwordless') })
    case 'select-account':
      return { ...shared, screen, accounts: accountsOf(state), cancel: true }
    case 'mfa-challenge':
      return mfaChallengeView(
        state,
        known === undefined && isStepUp(state) ? { ...shared, notice: 'step_up' } : shared,
        { user: userOf(state), login: transaction.handleDigest },
        deps,
      )
    case 'mfa-enroll':
      return mfaEnrollView(state, shared, { user: userOf(state), login: transaction.handleDigest }, deps)
    case 'mfa-recovery-code':
      return mfaRecoveryCodeView(state, shared, vault)
    case 'passkey-enroll': {
      const { passkeyOffer: offer } = state.decisions
      if (!offer) throw new Error('no passkey is offered')
      const { reason, ...passkey } = offer
      return { ...shared, screen, reason, passkey, user: personView(state.user) }
    }
    case 'link-account':
      return linkAccountView(state, shared)
    case 'organization-selection':
      return organizationSelectionView(state, shared)
    case 'organization-picker':
      return organizationPickerView(state, shared)
    case 'consent':
      return {
        ...shared,
        screen,
        client: { ...shared.client, ...promisesOf(state) },
        user: personView(state.user),
        scopes: toAgree(state.wants).map((value) => scopeView(value, state)),
        ...(state.api ? { audienceName: state.api.name } : {}),
        ...changeOf(state),
      }
  }
}

function unreachedView({ connections, decisions: { unreached } }: LoginState): { unreached?: UnreachedView } {
  const connection = connections.find(({ id }) => id === unreached?.connectionId)
  return connection && unreached ? { unreached: { provider: connectionLabel(connection), why: unreached.why } } : {}
}

const changeOf = (state: LoginState): { changesSignIn?: true } =>
  mayChangeSignIn(state) ? { changesSignIn: true } : {}

/** Why a user who has signed in before is asked again. */
function reasonOf(state: LoginState): { notice?: NoticeCode } {
  const { user, wants, decisions } = state
  if (user && wants.prompt.includes('login')) return { notice: 'reauthentication' }
  if (user && (wants.maxAge !== null || mayChangeSignIn(state) || hasToEnroll(state))) return { notice: 'session_old' }
  return decisions.sessionEnded && decisions.identified === undefined ? { notice: 'session_ended' } : {}
}

/** The session sufficed for the password, and lacks the second factor. */
const isStepUp = ({ evidence }: LoginState): boolean =>
  evidence.length > 0 && evidence.every((proof) => proof.inherited)

export const clientView = (client: Client) => ({
  name: client.name,
  ...(client.clientId === PORTAL_CLIENT ? { isPortal: true as const } : {}),
  ...(client.settings.logo_uri === undefined ? {} : { logoUrl: client.settings.logo_uri }),
  ...(client.settings.client_uri === undefined ? {} : { homepage: client.settings.client_uri }),
})

/**
 * The owner of the client and its links. A third-party client chooses its own name, so the page also shows where the response
 * goes.
 */
const promisesOf = ({ client, wants }: LoginState) => ({
  ...(client.settings.is_first_party
    ? { thirdParty: false }
    : { thirdParty: true, ...placeOf(parseUrl(wants.redirectUri)) }),
  ...linksOf(client),
})

/** A native app is shown by its URL scheme. A host with non-ASCII letters is shown in its ASCII (punycode) form. */
const placeOf = (url: URL | null) =>
  url ? { returnsTo: /^https?:$/.test(url.protocol) ? url.host : url.protocol } : {}

const linksOf = ({ settings: { policy_uri, tos_uri } }: Client) => ({
  ...(policy_uri === undefined ? {} : { policyUrl: policy_uri }),
  ...(tos_uri === undefined ? {} : { termsUrl: tos_uri }),
})

/** The signed-in user first, then the other accounts of this browser. */
function accountsOf({ user, remembered }: LoginState): AccountView[] {
  const others = remembered.filter(({ id }) => id !== user?.id)
  return [
    ...(user ? [{ ...accountView(user), signedIn: true as const }] : []),
    ...others.map(({ connection: _, ...account }) => account),
  ]
}

const accountView = (user: User) => ({
  id: user.id,
  ...personView(user),
  ...(user.picture === null ? {} : { picture: user.picture }),
})

export const personView = (user: User | null) => ({
  name: user ? displayNameOf(user) : '',
  ...(user?.email ? { email: user.email } : {}),
})

function scopeView(value: string, { api }: LoginState) {
  const description = api?.scopes.get(value)
  return description === undefined ? { value } : { value, description }
}
