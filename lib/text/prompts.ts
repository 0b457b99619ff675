// The vendor's prompts, their screens and the keys of their texts, as far as a page here has such a text. Of several keys for one
// text the first that is given is taken: the vendor renamed some, and has several sentences where we have one.
import type { MessageKey } from './catalogue'

/** Our text → the vendor's keys. */
export type ScreenTexts = Readonly<Partial<Record<MessageKey, readonly string[]>>>

const NOTICE: ScreenTexts = { 'notice.heading': ['alertListTitle'] }

const PASSWORD: ScreenTexts = {
  'login.show_password_label': ['showPasswordText'],
  'login.hide_password_label': ['hidePasswordText'],
}

const CAPTCHA: ScreenTexts = {
  'notice.captcha_missing': ['invalid-captcha', 'invalid-recaptcha'],
  'notice.captcha_wrong': ['captcha-validation-failure'],
}

/** The texts above the form. */
const LEAD: ScreenTexts = {
  'login.title': ['title'],
  'login.title_invited': ['invitationTitle', 'title'],
  'login.lead': ['description'],
  'login.lead_organization': ['description'],
  'login.lead_invited': ['invitationDescription'],
}

const PROVIDERS: ScreenTexts = {
  'login.or': ['separatorText'],
  'login.with': ['federatedConnectionButtonText'],
  'notice.upstream_failed': ['authentication-failure'],
}

const IDENTIFIER: ScreenTexts = {
  'login.identifier.email': ['emailPlaceholder'],
  'login.identifier.username': ['usernameOnlyPlaceholder'],
  'login.identifier.either': ['usernameOrEmailPlaceholder', 'usernamePlaceholder'],
  'notice.missing_identifier.email': ['no-email'],
  'notice.missing_identifier.username': ['no-username'],
  'notice.missing_identifier.either': ['no-username', 'no-email'],
}

const SIGN_UP_LINK: ScreenTexts = {
  'login.no_account': ['signupActionText', 'footerText'],
  'login.sign_up': ['signupActionLinkText', 'footerLinkText'],
}

const SIGN_IN: ScreenTexts = {
  ...NOTICE,
  ...CAPTCHA,
  ...LEAD,
  ...PROVIDERS,
  ...IDENTIFIER,
  ...SIGN_UP_LINK,
  ...PASSWORD,
  'login.password': ['passwordPlaceholder'],
  'login.forgot': ['forgotPasswordText'],
  'login.submit': ['buttonText'],
  'notice.wrong_credentials': [
    'wrong-credentials',
    'wrong-email-credentials',
    'wrong-username-credentials',
    'wrong-email-username-credentials',
  ],
  'notice.too_many_attempts': ['user-blocked', 'same-user-login', 'ip-blocked'],
  'locked.lead': ['user-blocked', 'same-user-login', 'ip-blocked'],
  'notice.missing_password': ['no-password'],
  'notice.password_leaked': ['password-breached'],
}

/** The first page of a login that asks for the name alone, and that of a login by code. */
const IDENTIFY: ScreenTexts = {
  ...NOTICE,
  ...CAPTCHA,
  ...LEAD,
  ...PROVIDERS,
  ...IDENTIFIER,
  ...SIGN_UP_LINK,
  'login.forgot': ['forgotPasswordText'],
  'login.next': ['buttonText'],
  'mfa.send.code': ['buttonText'],
  'forgot.submit': ['buttonText'],
  'passwordless.identifier.email': ['emailPlaceholder'],
  'passwordless.identifier.phone': ['phonePlaceholder'],
  'passwordless.identifier.either': ['phoneOrEmailPlaceholder'],
  'passkey.sign_in': ['passkeyButtonText'],
  'notice.unknown_domain': ['no-hrd-connection'],
  'notice.invalid_email': ['invalid-email-format', 'invalid-email-phone'],
  'notice.invalid_phone': ['invalid-phone-number'],
  'notice.passkey_failed': ['passkey-authentication-failed'],
  'notice.passkey_unknown': ['invalid-passkey'],
}

const SIGN_UP: ScreenTexts = {
  ...NOTICE,
  ...CAPTCHA,
  'signup.title': ['title'],
  'signup.title_invited': ['invitationTitle', 'title'],
  'login.lead': ['description'],
  'login.lead_organization': ['description'],
  'login.lead_invited': ['invitationDescription'],
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
  'notice.invalid_username': ['invalid-username', 'invalid-username-invalid-characters'],
  'notice.weak_password': ['password-too-weak', 'password-policy-not-conformant'],
}

const ENTER_CODE: ScreenTexts = {
  ...NOTICE,
  'code.label': ['placeholder', 'otpPlaceholder'],
  'notice.wrong_code': ['invalid-code', 'invalid-verification-code', 'invalid-expired-code'],
}

const CODE_TO_SIGN_IN: ScreenTexts = {
  ...ENTER_CODE,
  'enroll.code.title': ['title'],
  'passwordless.code_lead': ['description'],
  'passwordless.both_sent': ['description'],
  'passwordless.again': ['resendActionText'],
  'login.submit': ['buttonText'],
}

const IDENTIFIER_CHALLENGE: ScreenTexts = {
  ...CODE_TO_SIGN_IN,
  'passwordless.other_address': ['backButtonText'],
  'notice.code_sent': ['resendLimitReachedText'],
  'notice.too_many_codes': ['too-many-failures'],
}

const SECOND_FACTOR: ScreenTexts = {
  ...NOTICE,
  'mfa.title': ['title'],
  'mfa.other': ['pickAuthenticatorText'],
  'mfa.remember': ['rememberMeText'],
  'notice.too_many_codes': ['too-many-failures'],
}

/** The page after a code was sent, in a login and in an enrolment. */
const SENT_CODE: ScreenTexts = {
  ...SECOND_FACTOR,
  ...ENTER_CODE,
  'enroll.code.title': ['title'],
  'common.continue': ['buttonText'],
  'enroll.other': ['pickAuthenticatorText'],
  'forgot.nothing': ['resendText'],
  'forgot.again': ['resendActionText'],
}

const PHONE: ScreenTexts = {
  ...NOTICE,
  'enroll.phone.title': ['title'],
  'enroll.phone.label': ['placeholder'],
  'enroll.other': ['pickAuthenticatorText'],
  'notice.invalid_phone': ['invalid-phone', 'invalid-phone-format', 'no-phone'],
}

const FACTOR_NAMES: ScreenTexts = {
  'mfa.factor.otp': ['authenticatorNamesOTP', 'authenticatorNames.otp'],
  'mfa.factor.push': ['authenticatorNamesPushNotification', 'authenticatorNames.push-notification'],
  'mfa.factor.sms': ['authenticatorNamesSMS', 'authenticatorNames.sms', 'authenticatorNamesPhone'],
  'mfa.factor.voice': ['authenticatorNamesVoice', 'authenticatorNames.voice', 'authenticatorNamesPhone'],
  'mfa.factor.email': ['authenticatorNamesEmail', 'authenticatorNames.email'],
  'mfa.factor.webauthn-roaming': ['authenticatorNamesWebauthnRoaming', 'authenticatorNames.webauthn-roaming'],
  'mfa.factor.webauthn-platform': ['authenticatorNamesWebauthnPlatform', 'authenticatorNames.webauthn-platform'],
}

const KEY_ENROLLMENT: ScreenTexts = {
  ...NOTICE,
  'common.continue': ['continueButtonText'],
  'enroll.other': ['pickAuthenticatorText'],
}

const KEY_CHALLENGE: ScreenTexts = {
  ...NOTICE,
  'mfa.title': ['title'],
  'mfa.other': ['pickAuthenticatorText'],
  'mfa.remember': ['rememberMeText'],
  'common.continue': ['continueButtonText'],
  'notice.too_many_codes': ['too-many-webauthn-challenge-attempts-error'],
}

const PASSKEY: ScreenTexts = {
  ...NOTICE,
  'passkey.title': ['title'],
  'passkey.create': ['createButtonText'],
  'passkey.skip': ['continueButtonText'],
}

/** Prompt → screen → texts. */
const TABLE = {
  common: { common: { ...NOTICE, ...PASSWORD } },
  captcha: { 'interstitial-captcha': CAPTCHA },
  login: { login: SIGN_IN },
  'login-password': { 'login-password': SIGN_IN },
  'login-id': { 'login-id': IDENTIFY },
  'login-passwordless': {
    'login-passwordless-email-code': CODE_TO_SIGN_IN,
    'login-passwordless-sms-otp': CODE_TO_SIGN_IN,
    'login-passwordless-email-link': {
      'passwordless.link_sent_title': ['successTitle'],
      'passwordless.link_sent': ['description'],
      'error.link_expired.title': ['errorTitle'],
      'error.link_expired.body': ['unknownErrorDescription'],
    },
  },
  'email-identifier-challenge': {
    'email-identifier-challenge': {
      ...IDENTIFIER_CHALLENGE,
      'passwordless.code_lead': ['emailDescription'],
      'passwordless.both_sent': ['emailDescription'],
      'passwordless.with_password': ['switchToPasswordButtonText'],
      'notice.too_many_messages': ['too-many-otps'],
    },
  },
  'phone-identifier-challenge': {
    'phone-identifier-challenge': {
      ...IDENTIFIER_CHALLENGE,
      'passwordless.code_lead': ['smsDescription'],
      'passwordless.both_sent': ['smsDescription'],
      'notice.too_many_messages': ['too-many-sms'],
    },
  },
  'phone-identifier-enrollment': {
    'phone-identifier-enrollment': {
      ...NOTICE,
      'login.title': ['title'],
      'passwordless.hint': ['description'],
      'mfa.send.code': ['continueButtonText'],
      'passwordless.identifier.phone': ['placeholder'],
      'notice.invalid_phone': ['invalid-phone', 'invalid-phone-format', 'no-phone'],
      'notice.too_many_messages': ['too-many-sms'],
    },
  },
  signup: { signup: { ...SIGN_UP, ...PASSWORD } },
  'signup-id': { 'signup-id': SIGN_UP },
  'signup-password': { 'signup-password': { ...SIGN_UP, ...PASSWORD } },
  invitation: {
    'accept-invitation': {
      'login.title_invited': ['title'],
      'signup.title_invited': ['title'],
      'login.lead_invited': ['description'],
    },
  },
  'reset-password': {
    'reset-password-request': {
      ...NOTICE,
      ...CAPTCHA,
      'forgot.title': ['title'],
      'forgot.body': ['descriptionEmail', 'emailDescription', 'description'],
      'forgot.submit': ['buttonText'],
      'forgot.back': ['backToLoginLinkText'],
      'login.identifier.email': ['placeholderEmail', 'emailPlaceholder'],
      'notice.invalid_email': ['invalid-email-format', 'no-email'],
    },
    'reset-password-email': {
      'forgot.sent_title': ['title'],
      'notice.reset_sent': ['emailDescription'],
      'forgot.code_body': ['emailDescription'],
      'forgot.nothing': ['resendText'],
      'forgot.again': ['resendLinkText'],
      'forgot.back': ['backButtonText'],
    },
    'reset-password': {
      ...NOTICE,
      ...PASSWORD,
      'reset.title': ['title'],
      'reset.body': ['description'],
      'reset.password': ['passwordPlaceholder'],
      'reset.submit': ['buttonText'],
      'password.rules': ['passwordSecurityText'],
      'notice.missing_password': ['no-password-reset'],
    },
    'reset-password-success': {
      'reset.done_title': ['eventTitle'],
      'reset.done_body': ['description'],
      'reset.continue': ['buttonText'],
    },
    'reset-password-error': {
      'error.link_expired.title': ['eventTitleExpired', 'eventTitleUsed', 'eventTitleGeneric'],
      'error.link_expired.body': ['descriptionExpired', 'descriptionUsed', 'descriptionGeneric'],
      'common.back': ['backToLoginLinkText'],
    },
  },
  organizations: {
    'organization-selection': {
      ...NOTICE,
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
      'common.signed_in_as': ['pickerTitle'],
      'consent.accept': ['acceptButtonText'],
      'consent.deny': ['declineButtonText'],
    },
  },
  logout: {
    logout: {
      'confirm_logout.title': ['title'],
      'confirm_logout.body': ['description'],
      'confirm_logout.body_client': ['description'],
      'common.signed_in_as': ['userSalute'],
      'confirm_logout.submit': ['acceptButtonText'],
      'confirm_logout.stay': ['declineButtonText'],
    },
    'logout-complete': { 'logged_out.title': ['eventTitle'], 'logged_out.body': ['description'] },
  },
  'device-flow': {
    'device-code-activation': {
      ...NOTICE,
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
      'error.link_expired.title': ['errorTitle'],
      'error.link_expired.body': [
        'auth0-users-expired-ticket',
        'auth0-users-used-ticket',
        'invalidAccountOrCodeDescription',
        'unknownErrorDescription',
      ],
    },
  },
  'brute-force-protection': {
    'brute-force-protection-unblock': {
      'unblock.title': ['title'],
      'unblock.body': ['description'],
      'unblock.submit': ['buttonText'],
    },
    'brute-force-protection-unblock-success': {
      'unblock.done_title': ['title', 'eventTitle'],
      'unblock.done_body': ['description'],
      'common.continue': ['buttonText'],
    },
    'brute-force-protection-unblock-failure': {
      'error.link_expired.title': ['title', 'eventTitle'],
      'error.link_expired.body': ['description'],
      'common.back': ['buttonText'],
    },
  },
  status: {
    status: {
      'error.other_browser.title': ['passwordless-no-session-title'],
      'error.other_browser.body': ['passwordless-no-session'],
      'common.restart': ['passwordless-no-session-link'],
      'error.upstream_answer.body': ['authentication-failure'],
      'error.server_error.body': ['auth0-users-validation', 'custom-script-error-code'],
    },
  },
  passkeys: {
    'passkey-enrollment': {
      ...PASSKEY,
      'passkey.lead.none-yet': ['description'],
      'passkey.what': ['passkeyBenefit1Description'],
      'notice.passkey_not_added': ['passkey-enrollment-failure', 'invalid-passkey'],
    },
    'passkey-enrollment-local': {
      ...PASSKEY,
      'passkey.lead.other-device': ['description'],
      'passkey.what': ['passkeyBenefit2Description', 'passkeyBenefit1Description'],
      'notice.passkey_not_added': ['error_passkey-enrollment-failure'],
    },
  },
  mfa: {
    'mfa-login-options': {
      ...FACTOR_NAMES,
      'mfa.factor.recovery-code': ['authenticatorNamesRecoveryCode', 'authenticatorNames.recovery-code'],
      'mfa.other': ['title'],
    },
    'mfa-begin-enroll-options': { ...FACTOR_NAMES, 'enroll.title': ['title'], 'enroll.lead': ['description'] },
    'mfa-detect-browser-capabilities': { 'webauthn.missing': ['noJSErrorDescription'] },
    'mfa-enroll-result': {
      'enroll.done.title': ['enrolledTitle'],
      'enroll.done.lead': ['enrolledDescription'],
      'error.link_expired.title': ['expiredTicketTitle', 'alreadyUsedTitle', 'invalidTicketTitle'],
      'error.link_expired.body': ['expiredTicketDescription', 'alreadyUsedDescription', 'invalidTicketDescription'],
    },
  },
  'mfa-otp': {
    'mfa-otp-challenge': {
      ...SECOND_FACTOR,
      ...ENTER_CODE,
      'mfa.lead.otp': ['description'],
      'common.continue': ['buttonText'],
    },
    'mfa-otp-enrollment-qr': {
      ...NOTICE,
      'enroll.otp.title': ['title'],
      'enroll.otp.lead': ['description'],
      'enroll.otp.key': ['codeEnrollmentText'],
      'enroll.otp.code': ['placeholder'],
      'enroll.other': ['pickAuthenticatorText'],
      'common.continue': ['buttonText'],
      'notice.wrong_code': ['invalid-code'],
      'notice.too_many_codes': ['too-many-failures'],
    },
    'mfa-otp-enrollment-code': { 'enroll.otp.key': ['description'], 'copy.copy': ['copyCodeButtonText'] },
  },
  'mfa-sms': {
    'mfa-sms-challenge': {
      ...SENT_CODE,
      'mfa.lead.sms': ['description'],
      'notice.too_many_messages': ['too-many-sms'],
    },
    'mfa-sms-enrollment': {
      ...PHONE,
      'enroll.hint.sms': ['description'],
      'mfa.send.code': ['buttonText'],
      'notice.too_many_messages': ['too-many-sms'],
    },
  },
  'mfa-voice': {
    'mfa-voice-challenge': {
      ...SENT_CODE,
      'mfa.lead.voice': ['description'],
      'notice.too_many_messages': ['too-many-voice'],
    },
    'mfa-voice-enrollment': {
      ...PHONE,
      'enroll.hint.voice': ['description'],
      'mfa.send.call': ['buttonText'],
      'notice.too_many_messages': ['too-many-voice', 'too-many-sms'],
    },
  },
  'mfa-phone': {
    'mfa-phone-challenge': {
      ...NOTICE,
      'mfa.title': ['title'],
      'mfa.ask.sms': ['description'],
      'mfa.ask.voice': ['description'],
      'mfa.send.code': ['continueButtonText'],
      'mfa.send.call': ['continueButtonText'],
      'mfa.other': ['pickAuthenticatorText'],
      'mfa.factor.sms': ['smsButtonText'],
      'mfa.factor.voice': ['voiceButtonText'],
      'notice.too_many_messages': ['too-many-sms', 'too-many-voice'],
    },
    'mfa-phone-enrollment': {
      ...PHONE,
      'enroll.hint.sms': ['description'],
      'enroll.hint.voice': ['description'],
      'mfa.send.code': ['continueButtonText'],
      'mfa.send.call': ['continueButtonText'],
      'notice.too_many_messages': ['too-many-sms', 'too-many-voice'],
    },
  },
  'mfa-email': {
    'mfa-email-challenge': {
      ...SENT_CODE,
      'mfa.lead.email': ['description'],
      'notice.too_many_messages': ['too-many-email'],
    },
  },
  'email-otp-challenge': {
    'email-otp-challenge': {
      ...ENTER_CODE,
      'mfa.title': ['title'],
      'mfa.lead.email': ['description'],
      'forgot.sent_title': ['title'],
      'forgot.code_body': ['description'],
      'common.continue': ['buttonText'],
      'forgot.nothing': ['resendText'],
      'forgot.again': ['resendActionText'],
      'notice.too_many_messages': ['too-many-email'],
    },
  },
  'mfa-push': {
    'mfa-push-challenge-push': {
      ...NOTICE,
      'mfa.title': ['title'],
      'mfa.other': ['pickAuthenticatorText'],
      'mfa.remember': ['rememberMeText'],
      'mfa.lead.push': ['description'],
      'mfa.waiting': ['awaitingConfirmation'],
      'mfa.push_done': ['buttonText'],
      'forgot.nothing': ['resendText'],
      'forgot.again': ['resendActionText'],
      'notice.push_waiting': ['challenge-transaction-pending'],
      'notice.push_rejected': ['transaction-rejected'],
      'notice.too_many_messages': ['too-many-push'],
    },
    'mfa-push-enrollment-qr': {
      ...NOTICE,
      'enroll.push.title': ['title'],
      'enroll.push.lead': ['description'],
      'enroll.other': ['pickAuthenticatorText'],
      'mfa.push_done': ['buttonText'],
      'notice.push_waiting': ['enrollment-transaction-pending'],
    },
  },
  'mfa-webauthn': {
    'mfa-webauthn-error': { 'notice.key_failed': ['description'] },
    'mfa-webauthn-not-available-error': { 'webauthn.missing': ['errorDescription'] },
    'mfa-webauthn-roaming-challenge': {
      ...KEY_CHALLENGE,
      'mfa.lead.webauthn-roaming': ['description'],
      'notice.key_failed': ['webauthn-challenge-error'],
    },
    'mfa-webauthn-roaming-enrollment': {
      ...KEY_ENROLLMENT,
      'enroll.title.webauthn-roaming': ['title'],
      'enroll.hint.webauthn-roaming': ['description'],
      'notice.key_failed': ['webauthn-associate-error'],
    },
    'mfa-webauthn-platform-challenge': {
      ...KEY_CHALLENGE,
      'mfa.lead.webauthn-platform': ['description'],
      'notice.key_failed': ['webauthn-platform-challenge-error'],
    },
    'mfa-webauthn-platform-enrollment': {
      ...KEY_ENROLLMENT,
      'enroll.title.webauthn-platform': ['title'],
      'enroll.hint.webauthn-platform': ['description'],
      'notice.key_failed': ['webauthn-platform-associate-error'],
    },
  },
  'mfa-recovery-code': {
    'mfa-recovery-code-challenge': {
      ...SECOND_FACTOR,
      'mfa.lead.recovery-code': ['description'],
      'mfa.factor.recovery-code': ['placeholder'],
      'common.continue': ['buttonText'],
      'notice.wrong_code': ['invalid-code'],
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

/** The title of the browser's window. */
const TITLE: ScreenTexts = { 'common.document_title': ['pageTitle'] }

/** Screens that are a part of a page here. */
const PARTS: ReadonlySet<string> = new Set<PromptScreen>([
  'common',
  'interstitial-captcha',
  'status',
  'mfa-login-options',
  'mfa-detect-browser-capabilities',
  'mfa-otp-enrollment-code',
  'mfa-webauthn-error',
  'mfa-webauthn-not-available-error',
])

const withTitle = ([screen, texts]: [string, ScreenTexts]): [string, ScreenTexts] => [
  screen,
  PARTS.has(screen) ? texts : { ...TITLE, ...texts },
]

export const PROMPTS: ReadonlyMap<string, ReadonlyMap<string, ScreenTexts>> = new Map(
  Object.entries(TABLE).map(([prompt, screens]) => [prompt, new Map(Object.entries(screens).map(withTitle))]),
)

/** The vendor shows the address behind these sentences; here it is part of them. */
export const ADDRESS_FOLLOWS: ReadonlySet<string> = new Set<PromptScreen>([
  'login-passwordless-sms-otp',
  'phone-identifier-challenge',
  'mfa-phone-challenge',
  'mfa-sms-challenge',
  'mfa-voice-challenge',
  'mfa-email-challenge',
])

/** What the page of a screen knows about its person, beside the values of our own text. */
export const SCREEN_VALUES: ReadonlyMap<string, readonly string[]> = new Map<PromptScreen, readonly string[]>([
  ['consent', ['user']],
  ['reset-password-email', ['email']],
  ['email-otp-challenge', ['email']],
  ['reset-password', ['user']],
  ['email-verification-result', ['email']],
  ['mfa-recovery-code-enrollment', ['user']],
  ['passkey-enrollment', ['user']],
  ['passkey-enrollment-local', ['user']],
])
