/** Every hosted page, as data: what the tests of the renderer, its texts and its looks go through. */
import {
  type ConsentView,
  ERROR_CODES,
  type LoginView,
  NOTICE_CODES,
  type PageCommon,
  type ScreenView,
  type SelectAccountView,
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
export const consentScreen: ConsentView = {
  screen: 'consent',
  ...form,
  client: { ...client, thirdParty: true },
  user: { name: 'Ada' },
  scopes: [{ value: 'openid' }, { value: 'email', description: 'Read all your mail' }, { value: 'write:notes' }],
}
const ada = { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' }
export const selectAccountScreen: SelectAccountView = {
  screen: 'select-account',
  ...form,
  client,
  accounts: [ada],
  cancel: true,
}

export const hostedScreens: readonly ScreenView[] = [
  loginScreen,
  ...NOTICE_CODES.map((notice) => ({ ...loginScreen, notice })),
  selectAccountScreen,
  { ...selectAccountScreen, accounts: [ada, { id: 'u2', name: 'Grace' }] },
  consentScreen,
  { screen: 'logged-out' },
  { screen: 'logged-out', returnUrl: 'myapp://home' },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: { state: 'x' } },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: {}, client, user: { name: 'Ada' } },
  ...ERROR_CODES.map((code): ScreenView => ({ screen: 'error', status: 400, code, requestId: 'r1' })),
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'ask' },
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'done', continueUrl: '/' },
]
