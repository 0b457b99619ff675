// The vendor's screens that a page stands for: under their names a tenant changes its texts (lib/text/prompts.ts). A later screen takes
// precedence.
import { FACTOR_PAGES } from '../../components/factor-pages'
import type { PromptScreen } from '../text/prompts'
import type { ScreenView, ViewOf } from './screens'
import type { MailedLink } from './view'

const ACTIVATION: Readonly<Record<ViewOf<'activate'>['phase'], PromptScreen>> = {
  code: 'device-code-activation',
  confirm: 'device-code-confirmation',
  connected: 'device-code-activation-allowed',
  refused: 'device-code-activation-denied',
}

const DEAD_LINKS: Readonly<Record<MailedLink, PromptScreen>> = {
  'reset-password': 'reset-password-error',
  'verify-email': 'email-verification-result',
  unblock: 'brute-force-protection-unblock-failure',
  enroll: 'mfa-enroll-result',
  login: 'login-passwordless-email-link',
}

type Screens = readonly (PromptScreen | false | undefined)[]

/** Empty for a page that the vendor does not have. */
export const promptScreens = (view: ScreenView): readonly PromptScreen[] =>
  screensOf(view).filter((screen): screen is PromptScreen => screen !== undefined && screen !== false)

function screensOf(view: ScreenView): Screens {
  switch (view.screen) {
    case 'login':
      if (view.linking) return []
      return [...guestOf(view), view.asks === 'identifier' ? 'login-id' : afterName(view)]
    case 'account-locked':
      return [afterName(view)]
    case 'passwordless':
      if (view.linking) return []
      return [...captchaOf(view), view.kind !== 'email' && 'phone-identifier-enrollment', 'login-id']
    case 'passwordless-code':
      if (view.sends === 'link') return ['login-passwordless-email-link']
      return view.address.includes('@')
        ? ['email-identifier-challenge', 'login-passwordless-email-code']
        : ['phone-identifier-challenge', 'login-passwordless-sms-otp']
    case 'signup':
      return [
        ...guestOf(view),
        ...(view.identifierFirst ? (['signup-password', 'signup-id'] as const) : ['signup' as const]),
      ]
    case 'forgot-password':
      if (view.phase === 'ask') return [...captchaOf(view), 'reset-password-request']
      return [view.phase === 'code' && 'email-otp-challenge', 'reset-password-email']
    case 'reset-password':
      return [view.phase === 'done' ? 'reset-password-success' : 'reset-password']
    case 'organization-selection':
      return ['organization-selection']
    case 'organization-picker':
      return ['organization-picker']
    case 'consent':
      return ['consent']
    case 'confirm-logout':
      return ['logout']
    case 'logged-out':
      return ['logout-complete']
    case 'activate':
      return [ACTIVATION[view.phase]]
    case 'verify-email':
      return [view.phase === 'done' && 'email-verification-result']
    case 'unblock':
      return [view.phase === 'done' ? 'brute-force-protection-unblock-success' : 'brute-force-protection-unblock']
    case 'mfa-challenge':
      return ['mfa-login-options', ...FACTOR_PAGES[view.factor.kind].challengePrompts]
    case 'mfa-enroll':
      return enrollment(view)
    case 'mfa-recovery-code':
      return ['mfa-recovery-code-enrollment']
    case 'passkey-enroll':
      return [view.reason === 'none-yet' ? 'passkey-enrollment' : 'passkey-enrollment-local']
    case 'error':
      return ['status', view.link && DEAD_LINKS[view.link]]
    default:
      return []
  }
}

const afterName = (view: { identifierFirst?: true }): PromptScreen =>
  view.identifierFirst ? 'login-password' : 'login'

const captchaOf = ({ captcha }: { captcha?: unknown }): Screens => [captcha !== undefined && 'interstitial-captcha']

const guestOf = (view: { inviter?: string; captcha?: unknown }): Screens => [
  ...captchaOf(view),
  view.inviter !== undefined && 'accept-invitation',
]

function enrollment(view: ViewOf<'mfa-enroll'>): Screens {
  switch (view.phase) {
    case 'choose':
      return ['mfa-begin-enroll-options']
    case 'otp':
    case 'push':
      return FACTOR_PAGES[view.phase].enroll?.prompts ?? []
    case 'key':
    case 'phone':
      return FACTOR_PAGES[view.kind].enroll?.prompts ?? []
    case 'done':
      return ['mfa-enroll-result']
    case 'code':
      return FACTOR_PAGES[view.kind].challengePrompts
  }
}
