// The vendor's screens that a page stands for: under their names a tenant changes its texts (lib/texts/prompts.ts).
import type { PromptScreen } from '../texts/prompts'
import type { ScreenView, ViewOf } from './screens'
import type { FactorKind } from './view'

const CHALLENGES: Readonly<Record<FactorKind, PromptScreen>> = {
  otp: 'mfa-otp-challenge',
  push: 'mfa-push-challenge-push',
  sms: 'mfa-sms-challenge',
  voice: 'mfa-voice-challenge',
  email: 'mfa-email-challenge',
  'webauthn-roaming': 'mfa-webauthn-roaming-challenge',
  'webauthn-platform': 'mfa-webauthn-platform-challenge',
  'recovery-code': 'mfa-recovery-code-challenge',
}

const ACTIVATION: Readonly<Record<ViewOf<'activate'>['phase'], PromptScreen>> = {
  code: 'device-code-activation',
  confirm: 'device-code-confirmation',
  connected: 'device-code-activation-allowed',
  refused: 'device-code-activation-denied',
}

const of = (...screens: PromptScreen[]): readonly PromptScreen[] => screens

/** Empty for a page that the vendor does not have. */
export function promptScreens(view: ScreenView): readonly PromptScreen[] {
  switch (view.screen) {
    case 'login':
      return view.linking ? [] : of(view.asks === 'identifier' ? 'login-id' : 'login')
    case 'passwordless':
      return view.linking ? [] : of('login-id')
    case 'passwordless-code':
      if (view.sends === 'link') return of('login-passwordless-email-link')
      return of(view.address.includes('@') ? 'login-passwordless-email-code' : 'login-passwordless-sms-otp')
    case 'signup':
      return of('signup')
    case 'forgot-password':
      return of(view.phase === 'sent' ? 'reset-password-email' : 'reset-password-request')
    case 'reset-password':
      return of(view.phase === 'done' ? 'reset-password-success' : 'reset-password')
    case 'organization-selection':
      return of('organization-selection')
    case 'organization-picker':
      return of('organization-picker')
    case 'consent':
      return of('consent')
    case 'confirm-logout':
      return of('logout')
    case 'logged-out':
      return of('logout-complete')
    case 'activate':
      return of(ACTIVATION[view.phase])
    case 'verify-email':
      return view.phase === 'done' ? of('email-verification-result') : []
    case 'unblock':
      return of(view.phase === 'done' ? 'brute-force-protection-unblock-success' : 'brute-force-protection-unblock')
    case 'mfa-challenge':
      return of('mfa-login-options', CHALLENGES[view.factor.kind])
    case 'mfa-enroll':
      return enrollment(view)
    case 'mfa-recovery-code':
      return of('mfa-recovery-code-enrollment')
    default:
      return []
  }
}

function enrollment(view: ViewOf<'mfa-enroll'>): readonly PromptScreen[] {
  switch (view.phase) {
    case 'choose':
      return of('mfa-begin-enroll-options')
    case 'otp':
      return of('mfa-otp-enrollment-qr')
    case 'push':
      return of('mfa-push-enrollment-qr')
    case 'key':
      return of(
        view.kind === 'webauthn-roaming' ? 'mfa-webauthn-roaming-enrollment' : 'mfa-webauthn-platform-enrollment',
      )
    case 'phone':
      return of(view.kind === 'voice' ? 'mfa-voice-enrollment' : 'mfa-sms-enrollment')
    case 'done':
      return []
    case 'code':
      return of(CHALLENGES[view.kind])
  }
}
