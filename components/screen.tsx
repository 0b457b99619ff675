import type { ReactElement } from 'react'
import type { Translate } from '../lib/pages/texts/messages'
import type { ActivateView, MfaEnrollView, PageView, PasswordlessLinkView } from '../lib/pages/view'
import { isErrorNotice } from './notice'
import type { DoorPosition } from './page-frame'
import { ActivateScreen } from './screens/activate'
import { ConfirmLogoutScreen } from './screens/confirm-logout'
import { ConsentScreen } from './screens/consent'
import { DoctorScreen } from './screens/doctor'
import { ErrorScreen } from './screens/error'
import { ForgotPasswordScreen } from './screens/forgot-password'
import { LinkAccountScreen } from './screens/link-account'
import { LoggedOutScreen } from './screens/logged-out'
import { LoginScreen } from './screens/login'
import { MfaChallengeScreen } from './screens/mfa-challenge'
import { MfaEnrollScreen } from './screens/mfa-enroll'
import { MfaRecoveryCodeScreen } from './screens/mfa-recovery-code'
import { PasswordlessScreen } from './screens/passwordless'
import { PasswordlessCodeScreen } from './screens/passwordless-code'
import { PasswordlessLinkScreen } from './screens/passwordless-link'
import { PushDeviceScreen } from './screens/push-device'
import { ResetPasswordScreen } from './screens/reset-password'
import { SelectAccountScreen } from './screens/select-account'
import { SignUpScreen } from './screens/sign-up'
import { UnblockScreen } from './screens/unblock'
import { VerifyEmailScreen } from './screens/verify-email'

/** Maps each screen to its component. */
export function Screen({ view, t }: { view: PageView; t: Translate }): ReactElement {
  const { tenantName } = view.branding
  switch (view.screen) {
    case 'login':
      return <LoginScreen view={view} t={t} />
    case 'select-account':
      return <SelectAccountScreen view={view} t={t} />
    case 'link-account':
      return <LinkAccountScreen view={view} t={t} />
    case 'consent':
      return <ConsentScreen view={view} tenantName={tenantName} t={t} />
    case 'logged-out':
      return <LoggedOutScreen view={view} t={t} />
    case 'confirm-logout':
      return <ConfirmLogoutScreen view={view} tenantName={tenantName} t={t} />
    case 'error':
      return <ErrorScreen view={view} helpUrl={view.branding.supportUrl} t={t} />
    case 'unblock':
      return <UnblockScreen view={view} t={t} />
    case 'doctor':
      return <DoctorScreen view={view} t={t} />
    case 'activate':
      return <ActivateScreen view={view} t={t} />
    case 'signup':
      return <SignUpScreen view={view} locale={view.locale} t={t} />
    case 'forgot-password':
      return <ForgotPasswordScreen view={view} t={t} />
    case 'reset-password':
      return <ResetPasswordScreen view={view} t={t} />
    case 'verify-email':
      return <VerifyEmailScreen view={view} t={t} />
    case 'passwordless':
      return <PasswordlessScreen view={view} t={t} />
    case 'passwordless-code':
      return <PasswordlessCodeScreen view={view} t={t} />
    case 'passwordless-link':
      return <PasswordlessLinkScreen view={view} t={t} />
    case 'mfa-challenge':
      return <MfaChallengeScreen view={view} tenantName={tenantName} helpUrl={view.branding.supportUrl} t={t} />
    case 'mfa-enroll':
      return <MfaEnrollScreen view={view} t={t} />
    case 'mfa-recovery-code':
      return <MfaRecoveryCodeScreen view={view} tenantName={tenantName} t={t} />
    case 'push-device':
      return <PushDeviceScreen view={view} locale={view.locale} t={t} />
  }
}

/** The document title. A page with an error states it first, because screen readers read the title first. */
export function titleOf(view: PageView, t: Translate): string {
  const title = headingOf(view, t)
  return 'notice' in view && isErrorNotice(view.notice) ? t('title.error', { title }) : title
}

function headingOf(view: PageView, t: Translate): string {
  switch (view.screen) {
    case 'login':
      return t(view.linking ? 'link.prove_title' : 'login.title')
    case 'select-account':
      return t('account.title')
    case 'link-account':
      return t('link.title')
    case 'consent':
      return t('consent.title', { client: view.client.name })
    case 'logged-out':
      return t('logged_out.title')
    case 'confirm-logout':
      return t('confirm_logout.title')
    case 'error':
      return t(`error.${view.code}.title`)
    case 'doctor':
      return t(view.phase === 'ask' ? 'doctor.title' : `doctor.${view.health}`)
    case 'activate':
      return activateHeading(view, t)
    case 'unblock':
      return view.phase === 'done' ? t('unblock.done_title') : t('unblock.title')
    case 'signup':
      return t('signup.title')
    case 'forgot-password':
      return view.phase === 'sent' ? t('forgot.sent_title') : t('forgot.title')
    case 'reset-password':
      return view.phase === 'done' ? t('reset.done_title') : t('reset.title')
    case 'verify-email':
      return view.phase === 'done' ? t('verify.done_title') : t('verify.title')
    case 'passwordless':
      return t(view.linking ? 'link.prove_title' : 'login.title')
    case 'passwordless-code':
      return t(view.sends === 'link' ? 'passwordless.link_sent_title' : 'enroll.code.title')
    case 'passwordless-link':
      return linkHeading(view, t)
    case 'mfa-challenge':
      return t('mfa.title')
    case 'mfa-enroll':
      return enrollHeading(view, t)
    case 'mfa-recovery-code':
      return t('recovery.title')
    case 'push-device':
      return t(`push.${view.phase}_title`)
  }
}

function linkHeading({ phase, client }: PasswordlessLinkView, t: Translate): string {
  if (phase === 'here') return t('passwordless.link_title', { client: client.name })
  return t(phase === 'elsewhere' ? 'push.prompt_title' : `push.${phase}_title`)
}

const enrollHeading = ({ phase }: MfaEnrollView, t: Translate): string =>
  t(phase === 'choose' ? 'enroll.title' : `enroll.${phase}.title`)

function activateHeading(view: ActivateView, t: Translate): string {
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

const DOORS: Readonly<Record<PageView['screen'], DoorPosition>> = {
  login: 'ajar',
  'select-account': 'ajar',
  'link-account': 'ajar',
  consent: 'ajar',
  unblock: 'ajar',
  activate: 'ajar',
  doctor: 'ajar',
  signup: 'ajar',
  'forgot-password': 'ajar',
  'reset-password': 'ajar',
  'verify-email': 'ajar',
  passwordless: 'ajar',
  'passwordless-code': 'ajar',
  'passwordless-link': 'ajar',
  'mfa-challenge': 'ajar',
  'mfa-enroll': 'ajar',
  'mfa-recovery-code': 'ajar',
  'push-device': 'ajar',
  'confirm-logout': 'open',
  'logged-out': 'shut',
  error: 'shut',
}

export const doorOf = (view: PageView): DoorPosition => DOORS[view.screen]
