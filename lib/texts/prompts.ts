// The vendor's prompts, their screens and the keys of their texts, as far as a page here has such a text. Of several keys for one
// text the first that is given is taken: the vendor renamed some.
import type { MessageKey } from './catalogue'

/** Our text → the vendor's keys. */
export type ScreenTexts = Readonly<Partial<Record<MessageKey, readonly string[]>>>

/** Texts of every screen. */
export const COMMON: ScreenTexts = {
  'notice.heading': ['alertListTitle'],
  'login.show_password_label': ['showPasswordText'],
  'login.hide_password_label': ['hidePasswordText'],
}

const PROVIDERS: ScreenTexts = {
  'login.or': ['separatorText'],
  'login.with': ['federatedConnectionButtonText'],
}

const SIGN_IN: ScreenTexts = {
  ...PROVIDERS,
  'login.title': ['title'],
  'login.lead': ['description'],
  'login.password': ['passwordPlaceholder'],
  'login.identifier.email': ['emailPlaceholder'],
  'login.identifier.username': ['usernameOnlyPlaceholder'],
  'login.identifier.either': ['usernameOrEmailPlaceholder', 'usernamePlaceholder'],
  'login.forgot': ['forgotPasswordText'],
  'login.no_account': ['signupActionText', 'footerText'],
  'login.sign_up': ['signupActionLinkText', 'footerLinkText'],
  'notice.wrong_credentials': ['wrong-credentials', 'wrong-email-credentials', 'wrong-username-credentials'],
  'notice.too_many_attempts': ['user-blocked', 'same-user-login'],
  'notice.missing_password': ['no-password'],
  'notice.missing_identifier.email': ['no-email'],
  'notice.missing_identifier.username': ['no-username'],
  'notice.invalid_email': ['invalid-email-format'],
  'notice.upstream_failed': ['authentication-failure'],
}

const SECOND_FACTOR: ScreenTexts = {
  'mfa.title': ['title'],
  'mfa.other': ['pickAuthenticatorText'],
  'mfa.remember': ['rememberMeText'],
  'notice.too_many_codes': ['too-many-failures'],
}

const CODE: ScreenTexts = {
  'code.label': ['placeholder', 'otpPlaceholder'],
  'notice.wrong_code': ['invalid-code', 'invalid-expired-code', 'invalid-otp-code-format'],
}

/** The page after a code was sent, in a login and in an enrolment. */
const SENT_CODE: ScreenTexts = {
  ...SECOND_FACTOR,
  ...CODE,
  'enroll.code.title': ['title'],
  'common.continue': ['buttonText'],
  'enroll.other': ['pickAuthenticatorText'],
  'forgot.nothing': ['resendText'],
  'forgot.again': ['resendActionText'],
}

const PHONE: ScreenTexts = {
  'enroll.phone.title': ['title'],
  'enroll.phone.label': ['placeholder'],
  'enroll.other': ['pickAuthenticatorText'],
  'notice.invalid_phone': ['invalid-phone', 'invalid-phone-format', 'no-phone'],
  'notice.too_many_messages': ['too-many-sms', 'too-many-voice'],
}

const FACTOR_NAMES: ScreenTexts = {
  'mfa.factor.otp': ['authenticatorNamesOTP', 'authenticatorNamesOtp', 'authenticatorNames.otp'],
  'mfa.factor.push': ['authenticatorNamesPushNotification', 'authenticatorNames.push-notification'],
  'mfa.factor.sms': ['authenticatorNamesSMS', 'authenticatorNamesSms', 'authenticatorNames.sms'],
  'mfa.factor.voice': ['authenticatorNamesVoice', 'authenticatorNames.voice'],
  'mfa.factor.email': ['authenticatorNamesEmail', 'authenticatorNames.email'],
  'mfa.factor.webauthn-roaming': ['authenticatorNamesWebAuthnRoaming', 'authenticatorNames.webauthn-roaming'],
  'mfa.factor.webauthn-platform': ['authenticatorNamesWebAuthnPlatform', 'authenticatorNames.webauthn-platform'],
  'mfa.factor.recovery-code': ['authenticatorNamesRecoveryCode', 'authenticatorNames.recovery-code'],
}

const PASSWORDLESS_CODE: ScreenTexts = {
  ...CODE,
  'enroll.code.title': ['title'],
  'passwordless.code_lead': ['description'],
  'passwordless.both_sent': ['description'],
  'passwordless.again': ['resendActionText'],
  'login.submit': ['buttonText'],
}

/** Prompt → screen → texts. */
const TABLE = {
  common: { common: COMMON },
  login: { login: { ...SIGN_IN, 'login.submit': ['buttonText'] } },
  'login-id': {
    'login-id': {
      ...SIGN_IN,
      'login.next': ['buttonText'],
      'mfa.send.code': ['buttonText'],
      'passwordless.identifier.email': ['emailPlaceholder'],
      'passwordless.identifier.phone': ['phonePlaceholder'],
      'passwordless.identifier.either': ['phoneOrEmailPlaceholder'],
      'notice.unknown_domain': ['no-hrd-connection'],
    },
  },
  'login-passwordless': {
    'login-passwordless-email-code': PASSWORDLESS_CODE,
    'login-passwordless-sms-otp': PASSWORDLESS_CODE,
    'login-passwordless-email-link': {
      'passwordless.link_sent_title': ['title'],
      'passwordless.link_sent': ['description'],
      'passwordless.link_again': ['resendActionText'],
    },
  },
  signup: {
    signup: {
      ...PROVIDERS,
      'signup.title': ['title'],
      'login.lead': ['description'],
      'signup.submit': ['buttonText'],
      'signup.have_account': ['loginActionText', 'footerText'],
      'login.title': ['loginActionLinkText', 'footerLinkText'],
      'login.identifier.email': ['emailPlaceholder'],
      'login.identifier.username': ['usernamePlaceholder'],
      'login.password': ['passwordPlaceholder'],
      'password.rules': ['passwordSecurityText'],
      'notice.user_exists': ['email-in-use'],
      'notice.username_taken': ['username-taken'],
      'notice.invalid_email': ['invalid-email-format', 'no-email'],
      'notice.invalid_username': ['invalid-username'],
      'notice.weak_password': ['password-too-weak'],
    },
  },
  'reset-password': {
    'reset-password-request': {
      'forgot.title': ['title'],
      'forgot.body': ['descriptionEmail', 'description'],
      'forgot.submit': ['buttonText'],
      'forgot.back': ['backToLoginLinkText'],
      'login.identifier.email': ['placeholderEmail'],
      'notice.missing_identifier.email': ['no-email'],
      'notice.invalid_email': ['invalid-email-format'],
    },
    'reset-password-email': {
      'forgot.sent_title': ['title'],
      'notice.reset_sent': ['emailDescription'],
      'forgot.nothing': ['resendText'],
      'forgot.again': ['resendLinkText'],
    },
    'reset-password': {
      'reset.title': ['title'],
      'reset.body': ['description'],
      'reset.password': ['passwordPlaceholder'],
      'reset.submit': ['buttonText'],
      'password.rules': ['passwordSecurityText'],
    },
    'reset-password-success': {
      'reset.done_title': ['eventTitle'],
      'reset.done_body': ['description'],
      'reset.continue': ['buttonText'],
    },
  },
  organizations: {
    'organization-selection': {
      'organization.title': ['title'],
      'login.lead': ['description'],
      'organization.name': ['placeholder'],
      'common.continue': ['buttonText'],
      'notice.unknown_organization': ['invalid-organization'],
    },
    'organization-picker': { 'organization.pick_title': ['title'], 'login.lead': ['description'] },
  },
  consent: {
    consent: {
      'consent.title': ['title'],
      'consent.lead': ['messageSingleTenant', 'messageMultipleTenants'],
      'consent.accept': ['acceptButtonText'],
      'consent.deny': ['declineButtonText'],
    },
  },
  logout: {
    logout: {
      'confirm_logout.title': ['title'],
      'confirm_logout.body': ['description'],
      'confirm_logout.body_client': ['description'],
      'confirm_logout.submit': ['acceptButtonText'],
      'confirm_logout.stay': ['declineButtonText'],
    },
    'logout-complete': { 'logged_out.title': ['eventTitle'], 'logged_out.body': ['description'] },
  },
  'device-flow': {
    'device-code-activation': {
      'activate.title': ['title'],
      'activate.lead': ['description'],
      'activate.code': ['placeholder'],
      'common.continue': ['buttonText'],
      'notice.wrong_user_code': ['invalid-code', 'invalid-expired-code'],
    },
    'device-code-confirmation': {
      'activate.confirm_title': ['title'],
      'activate.confirm_lead': ['description'],
      'activate.confirm_warning': ['confirmationText'],
      'activate.confirm': ['confirmButtonText'],
      'activate.deny': ['cancelButtonText'],
    },
    'device-code-activation-allowed': { 'activate.done_title': ['eventTitle'], 'activate.done_body': ['description'] },
    'device-code-activation-denied': {
      'activate.refused_title': ['eventTitle'],
      'activate.refused_body': ['description'],
    },
  },
  'email-verification': {
    'email-verification-result': {
      'verify.done_title': ['verifiedTitle'],
      'verify.done_body': ['verifiedDescription'],
      'common.continue': ['buttonText'],
    },
  },
  'brute-force-protection': {
    'brute-force-protection-unblock': {
      'unblock.title': ['title', 'description'],
      'unblock.submit': ['buttonText'],
    },
    'brute-force-protection-unblock-success': {
      'unblock.done_title': ['title', 'eventTitle'],
      'unblock.done_body': ['description'],
    },
  },
  mfa: {
    'mfa-login-options': FACTOR_NAMES,
    'mfa-begin-enroll-options': { ...FACTOR_NAMES, 'enroll.title': ['title'], 'enroll.lead': ['description'] },
  },
  'mfa-otp': {
    'mfa-otp-challenge': {
      ...SECOND_FACTOR,
      ...CODE,
      'mfa.lead.otp': ['description'],
      'common.continue': ['buttonText'],
    },
    'mfa-otp-enrollment-qr': {
      'enroll.otp.title': ['title'],
      'enroll.otp.lead': ['description'],
      'enroll.otp.code': ['placeholder'],
      'enroll.other': ['pickAuthenticatorText'],
      'common.continue': ['buttonText'],
      'notice.wrong_code': ['invalid-code', 'invalid-otp-code-format'],
    },
  },
  'mfa-sms': {
    'mfa-sms-challenge': { ...SENT_CODE, 'mfa.lead.sms': ['description'] },
    'mfa-sms-enrollment': { ...PHONE, 'enroll.hint.sms': ['description'], 'mfa.send.code': ['buttonText'] },
  },
  'mfa-voice': {
    'mfa-voice-challenge': { ...SENT_CODE, 'mfa.lead.voice': ['description'] },
    'mfa-voice-enrollment': { ...PHONE, 'enroll.hint.voice': ['description'], 'mfa.send.call': ['buttonText'] },
  },
  'mfa-email': { 'mfa-email-challenge': { ...SENT_CODE, 'mfa.lead.email': ['description'] } },
  'mfa-push': {
    'mfa-push-challenge-push': {
      ...SECOND_FACTOR,
      'mfa.lead.push': ['description'],
      'mfa.waiting': ['awaitingConfirmation'],
      'mfa.push_done': ['buttonText'],
      'forgot.nothing': ['resendText'],
      'forgot.again': ['resendActionText'],
      'notice.push_rejected': ['transaction-rejected'],
    },
    'mfa-push-enrollment-qr': {
      'enroll.push.title': ['title'],
      'enroll.push.lead': ['description'],
      'enroll.other': ['pickAuthenticatorText'],
      'mfa.push_done': ['buttonText'],
    },
  },
  'mfa-webauthn': {
    'mfa-webauthn-roaming-challenge': { ...SECOND_FACTOR, 'mfa.lead.webauthn-roaming': ['description'] },
    'mfa-webauthn-roaming-enrollment': {
      'enroll.webauthn-roaming.title': ['title'],
      'enroll.webauthn-roaming.lead': ['description'],
      'enroll.other': ['pickAuthenticatorText'],
    },
    'mfa-webauthn-platform-challenge': { ...SECOND_FACTOR, 'mfa.lead.webauthn-platform': ['description'] },
    'mfa-webauthn-platform-enrollment': {
      'enroll.webauthn-platform.title': ['title'],
      'enroll.webauthn-platform.lead': ['description'],
      'enroll.other': ['pickAuthenticatorText'],
    },
  },
  'mfa-recovery-code': {
    'mfa-recovery-code-challenge': {
      ...SECOND_FACTOR,
      'mfa.lead.recovery-code': ['description'],
      'mfa.factor.recovery-code': ['placeholder'],
      'common.continue': ['buttonText'],
      'notice.wrong_code': ['invalid-code', 'invalid-code-format'],
    },
    'mfa-recovery-code-enrollment': {
      'recovery.title': ['title'],
      'recovery.lead': ['description'],
      'recovery.submit': ['buttonText'],
      'copy.copy': ['copyCodeButtonText'],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ScreenTexts>>>>

type ScreensOf<Prompt> = Prompt extends keyof typeof TABLE ? keyof (typeof TABLE)[Prompt] : never
export type PromptScreen = ScreensOf<keyof typeof TABLE>

export const PROMPTS: ReadonlyMap<string, ReadonlyMap<string, ScreenTexts>> = new Map(
  Object.entries(TABLE).map(([prompt, screens]) => [prompt, new Map(Object.entries(screens))]),
)
