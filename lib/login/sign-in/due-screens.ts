// The sign-in screens of a login before authentication: password, upstream provider, one-time code, sign-up. The requested
// connection decides which comes first; otherwise the password if there is a database connection.
import { resetsPasswords } from '../../data/connections/custom-database'
import { makesPeople } from '../../identity/custom-databases/changes'
import type { LoginScreen } from '../../pages/screens'
import type { LoginState } from '../login-state'

type Offered = Pick<LoginState, 'databases' | 'passwordless' | 'federated' | 'wants' | 'decisions' | 'remembered'>

/** The first screen is the default; the others are a link away. */
export function signInScreens(state: Offered): readonly LoginScreen[] {
  return offersAccounts(state) ? [...waysToSignIn(state), 'select-account'] : waysToSignIn(state)
}

/** Another account is chosen from the list. A login that expects a certain user, or links two accounts, has no choice. */
export const offersAccounts = ({ remembered, wants, decisions }: Offered): boolean =>
  remembered.length > 0 && wants.subject === null && decisions.linking === undefined

function waysToSignIn(state: Offered): readonly LoginScreen[] {
  const byPassword: LoginScreen[] = [
    'login',
    ...(offersSignUp(state) ? ['signup' as const] : []),
    ...(offersReset(state) ? ['forgot-password' as const] : []),
    ...(state.decisions.locked ? ['account-locked' as const] : []),
  ]
  const byCode: LoginScreen[] = state.decisions.code ? ['passwordless-code', 'passwordless'] : ['passwordless']
  const codes = state.passwordless.length > 0 ? byCode : []
  if (state.databases.length > 0) return [...byPassword, ...codes]
  if (state.federated.length > 0) return ['login', ...codes]
  return codes.length > 0 ? codes : byPassword
}

export const offersReset = ({ databases }: Pick<Offered, 'databases'>): boolean =>
  databases.length === 0 || databases.some(resetsPasswords)

/** A login that expects a certain user offers no sign-up. */
export const offersSignUp = ({ databases: [database], wants }: Offered): boolean =>
  database !== undefined &&
  !database.settings.options.disable_signup &&
  makesPeople(database, '') &&
  wants.subject === null
