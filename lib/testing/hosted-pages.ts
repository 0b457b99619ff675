/** Every hosted page as data, for the tests of the renderer, its texts and its design. */
import {
  type ConfirmDeviceView,
  type ConsentView,
  ERROR_CODES,
  type ForgotPasswordView,
  type LinkAccountView,
  type LoginView,
  type MfaChallengeView,
  type MfaEnrollView,
  type MfaRecoveryCodeView,
  NOTICE_CODES,
  PASSWORD_RULES,
  type PageCommon,
  type PasswordlessCodeView,
  type PasswordlessView,
  type PushDeviceView,
  type ResetPasswordView,
  type ScreenView,
  type SelectAccountView,
  type SignUpView,
} from '../pages/view'

export const pageCommon: PageCommon = {
  locale: 'en',
  branding: { tenantName: 'Northwind' },
  nonce: 'n0nce',
  assets: { stylesheet: '/hosted.css', script: '/comfort.js' },
}

const client = { name: 'Harbour Notes' }
const form = { action: '/u/submit', state: 'the-state' }

export const loginScreen: LoginView = { screen: 'login', ...form, client, identifierKind: 'either', cancel: true }
export const providerScreens: LoginView[] = [
  {
    ...loginScreen,
    providers: [
      { connection: 'google-oauth2', name: 'Google', initial: 'G' },
      { connection: 'github', name: 'GitHub', initial: 'G' },
      { connection: 'corp', name: 'Société Générale d’Import-Export', initial: 'S' },
    ],
  },
  { ...loginScreen, asks: 'identifier' },
  { ...loginScreen, asks: 'nothing', providers: [{ connection: 'corp', name: 'Corp', initial: 'C' }] },
]
export const consentScreen: ConsentView = {
  screen: 'consent',
  ...form,
  client: { ...client, thirdParty: true },
  user: { name: 'Ada' },
  scopes: [{ value: 'openid' }, { value: 'email', description: 'Read all your mail' }, { value: 'write:notes' }],
}
const ada = { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' }
export const linkAccountScreen: LinkAccountView = {
  screen: 'link-account',
  ...form,
  client,
  email: 'ada@example.com',
  ways: [{ kind: 'password' }, { kind: 'email' }, { kind: 'sms' }, { kind: 'provider', name: 'Google' }],
}
export const selectAccountScreen: SelectAccountView = {
  screen: 'select-account',
  ...form,
  client,
  accounts: [ada],
  cancel: true,
}

export const signUpScreen: SignUpView = {
  screen: 'signup',
  ...form,
  client,
  email: 'ada@example.com',
  username: '',
  rules: [{ rule: 'length', count: 8 }, { rule: 'common', unmet: true }, { rule: 'personal' }],
  extra: [
    { name: 'field_city', label: { en: 'City', de: 'Ort' }, type: 'text', required: false },
    { name: 'field_news', label: 'Send me news', type: 'checkbox', required: true, value: 'true' },
  ],
  invalid: ['password', 'field_news'],
  notice: 'weak_password',
  termsUrl: 'https://example.com/terms',
  privacyUrl: 'https://example.com/privacy',
  loginUrl: '/u/login?state=the-state',
  cancel: true,
}
export const forgotPasswordScreen: ForgotPasswordView = {
  screen: 'forgot-password',
  ...form,
  phase: 'ask',
  loginUrl: '/u/login?state=the-state',
  againUrl: '/u/forgot-password?state=the-state',
}
export const resetPasswordScreen: ResetPasswordView = {
  screen: 'reset-password',
  phase: 'ask',
  action: '/u/reset-password',
  ticket: 't',
  user: 'ada@example.com',
  rules: PASSWORD_RULES.map((rule) => ({ rule, count: 3 })),
}

export const confirmDeviceScreen: ConfirmDeviceView = {
  screen: 'activate',
  action: '/activate',
  phase: 'confirm',
  userCode: 'BCDF-GHJK',
  confirmation: 'c',
  client,
}

export const passwordlessScreen: PasswordlessView = {
  screen: 'passwordless',
  ...form,
  client,
  kind: 'email',
  cancel: true,
}
export const passwordlessCodeScreen: PasswordlessCodeView = {
  screen: 'passwordless-code',
  ...form,
  client,
  address: 'ada@example.com',
  sends: 'code',
  waitSeconds: 28,
  addressUrl: '/u/passwordless?state=the-state',
  loginUrl: '/u/login?state=the-state',
  cancel: true,
}

const passwordless: readonly ScreenView[] = [
  passwordlessScreen,
  { ...passwordlessScreen, kind: 'phone', address: '0170', notice: 'invalid_phone' },
  { ...passwordlessScreen, kind: 'either', loginUrl: '/u/login?state=the-state' },
  passwordlessCodeScreen,
  { ...passwordlessCodeScreen, address: '+491701234567', waitSeconds: 0, notice: 'wrong_code' },
  { ...passwordlessScreen, sendsLink: true },
  { ...passwordlessCodeScreen, sends: 'link', link: { phase: 'waiting', number: '47' } },
  { ...passwordlessCodeScreen, sends: 'link', waitSeconds: 0, notice: 'link_rejected' },
  { ...passwordlessCodeScreen, sends: 'both', waitSeconds: 0, link: { phase: 'answered', number: '47' } },
  {
    screen: 'passwordless-link',
    phase: 'elsewhere',
    action: '/u/passwordless-link',
    fields: { state: 'the-state', ticket: 't' },
    client,
    email: 'ada@example.com',
  },
  { screen: 'passwordless-link', phase: 'approved', client },
  { screen: 'passwordless-link', phase: 'rejected', client },
  {
    screen: 'passwordless-link',
    phase: 'here',
    action: '/passwordless/verify_redirect',
    fields: { connection: 'email', email: 'ada@example.com', verification_code: 'v', confirmation: 'c' },
    client,
    email: 'ada@example.com',
  },
  { ...loginScreen, passwordlessUrl: '/u/passwordless?state=the-state' },
]

const phone = { id: 'sms|dev_1', kind: 'sms', name: 'XXXXXXXXX9167' } as const
const app = { id: 'totp|dev_2', kind: 'otp' } as const
export const mfaChallengeScreen: MfaChallengeView = {
  screen: 'mfa-challenge',
  ...form,
  client,
  factor: app,
  phase: 'code',
  others: [phone, { id: 'recovery-code|dev_3', kind: 'recovery-code' }],
  rememberDays: 30,
  cancel: true,
}

const challenges: readonly MfaChallengeView[] = [
  mfaChallengeScreen,
  { ...mfaChallengeScreen, notice: 'wrong_code', others: [] },
  { ...mfaChallengeScreen, factor: { id: 'recovery-code|dev_3', kind: 'recovery-code' }, notice: 'wrong_code' },
  ...(['sms', 'voice', 'email'] as const).flatMap((kind): MfaChallengeView[] => [
    { ...mfaChallengeScreen, factor: { ...phone, kind }, phase: 'send' },
    { ...mfaChallengeScreen, factor: { ...phone, kind }, notice: 'code_sent' },
  ]),
  { ...mfaChallengeScreen, factor: { id: 'push|dev_4', kind: 'push', name: 'Phone' }, phase: 'send' },
  { ...mfaChallengeScreen, factor: { id: 'push|dev_4', kind: 'push' }, phase: 'wait', number: '42' },
  { ...mfaChallengeScreen, factor: { id: 'push|dev_4', kind: 'push' }, phase: 'answered' },
]

const enrollment = { screen: 'mfa-enroll', ...form, client, other: true, cancel: true } as const
export const mfaEnrollOtpScreen: Extract<MfaEnrollView, { phase: 'otp' }> = {
  ...enrollment,
  phase: 'otp',
  uri: 'otpauth://totp/Northwind:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Northwind',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}

const enrollments: readonly MfaEnrollView[] = [
  { ...enrollment, phase: 'choose', factors: ['otp', 'push', 'sms', 'voice', 'email'] },
  { ...enrollment, phase: 'phone', kind: 'sms' },
  { ...enrollment, phase: 'phone', kind: 'voice', phone: '12', notice: 'invalid_phone' },
  mfaEnrollOtpScreen,
  { ...mfaEnrollOtpScreen, notice: 'wrong_code' },
  { ...enrollment, phase: 'code', kind: 'sms', name: 'XXXXXXXXX9167' },
  { ...enrollment, phase: 'code', kind: 'email', name: '****@exam*******', notice: 'wrong_code' },
  { ...enrollment, phase: 'push', uri: 'https://id.test/u/device?enrollment_tx_id=t', answered: false },
  { ...enrollment, phase: 'push', uri: 'https://id.test/u/device?enrollment_tx_id=t', answered: true },
]

export const mfaRecoveryCodeScreen: MfaRecoveryCodeView = {
  screen: 'mfa-recovery-code',
  ...form,
  client,
  code: 'ABCD2345EFGH6789JKLM2345',
  user: 'ada@example.com',
}

const nextUrl = '/u/device'
export const pushPromptScreen: Extract<PushDeviceView, { phase: 'prompt' }> = {
  screen: 'push-device',
  phase: 'prompt',
  action: '/u/device',
  prompt: 'p',
  confirmation: 'c',
  user: 'ada@example.com',
  client: 'Harbour Notes',
  ip: '198.51.100.7',
  number: true,
}

const connectScreen: Extract<PushDeviceView, { phase: 'connect' }> = {
  screen: 'push-device',
  phase: 'connect',
  action: '/u/device',
  ticket: 't',
  confirmation: 'c',
  user: '***@exam*******',
  client: 'Harbour Notes',
}

const devices: readonly PushDeviceView[] = [
  connectScreen,
  { ...connectScreen, replaces: { user: 'kim@example.com', since: '2027-01-15T08:00:00.000Z' } },
  pushPromptScreen,
  { ...pushPromptScreen, number: false },
  { screen: 'push-device', phase: 'idle', user: 'ada@example.com', nextUrl },
  ...(['connected', 'approved', 'rejected'] as const).map(
    (phase): PushDeviceView => ({ screen: 'push-device', phase, nextUrl }),
  ),
]

export const hostedScreens: readonly ScreenView[] = [
  loginScreen,
  ...providerScreens,
  ...NOTICE_CODES.map((notice) => ({ ...loginScreen, notice })),
  linkAccountScreen,
  { ...loginScreen, linking: true },
  selectAccountScreen,
  { ...selectAccountScreen, accounts: [ada, { id: 'u2', name: 'Grace' }] },
  consentScreen,
  {
    ...consentScreen,
    client: { ...consentScreen.client, policyUrl: 'https://a.test/p', termsUrl: 'https://a.test/t' },
  },
  { screen: 'logged-out' },
  { screen: 'logged-out', returnUrl: 'myapp://home' },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: { state: 'x' } },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: {}, client, user: { name: 'Ada' } },
  ...ERROR_CODES.map((code): ScreenView => ({ screen: 'error', status: 400, code, requestId: 'r1' })),
  { screen: 'doctor', action: '/doctor', phase: 'ask', notice: 'wrong_operator_token' },
  {
    screen: 'doctor',
    phase: 'found',
    health: 'ill',
    findings: [
      { about: 'clock', health: 'well', says: 'The clocks agree.' },
      { about: 'keys', health: 'doubtful', says: 'Rotate.' },
      { about: 'mail', health: 'ill', says: 'Set SMTP_URL.' },
    ],
  },
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'ask' },
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'done', continueUrl: '/' },
  { screen: 'activate', action: '/activate', phase: 'code' },
  { screen: 'activate', action: '/activate', phase: 'code', userCode: 'BCDF-GHJK', notice: 'wrong_user_code' },
  confirmDeviceScreen,
  { ...confirmDeviceScreen, user: { name: 'Ada' } },
  { screen: 'activate', action: '/activate', phase: 'connected' },
  { screen: 'activate', action: '/activate', phase: 'refused' },
  signUpScreen,
  { ...signUpScreen, rules: [], extra: [], invalid: [] },
  forgotPasswordScreen,
  { ...forgotPasswordScreen, email: 'ada@example.com', notice: 'missing_identifier' },
  { ...forgotPasswordScreen, email: 'ada@example.com', phase: 'sent' },
  resetPasswordScreen,
  { ...resetPasswordScreen, notice: 'weak_password' },
  { screen: 'reset-password', phase: 'done', continueUrl: 'https://app.example.com/' },
  { screen: 'verify-email', phase: 'ask', action: '/u/verify-email', ticket: 't', email: 'ada@example.com' },
  { screen: 'verify-email', phase: 'done', email: 'ada@example.com', continueUrl: 'https://app.example.com/' },
  ...passwordless,
  ...challenges,
  ...enrollments,
  mfaRecoveryCodeScreen,
  ...devices,
]
