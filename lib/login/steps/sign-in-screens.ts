// The ways in that a login offers while nobody is authenticated: by password, by another provider,
// by a code, by making an account. Which comes
// first is the connection that was asked for, else the password where there is a database to check it.
import type { LoginScreen, LoginState } from './requirements'

type Offered = Pick<LoginState, 'database' | 'passwordless' | 'federated' | 'wants' | 'decisions'>

/** The first is where one begins; the others are a link away. */
export function signInScreens(state: Offered): readonly LoginScreen[] {
  const byPassword: LoginScreen[] = ['login', ...(offersSignUp(state) ? ['signup' as const] : []), 'forgot-password']
  const byCode: LoginScreen[] = state.decisions.code ? ['passwordless-code', 'passwordless'] : ['passwordless']
  const codes = state.passwordless.length > 0 ? byCode : []
  if (state.database !== null) return [...byPassword, ...codes]
  if (state.federated.length > 0) return ['login', ...codes]
  return codes.length > 0 ? codes : byPassword
}

/** Nobody who is expected by name signs up as somebody else. */
export const offersSignUp = ({ database, wants }: Offered): boolean =>
  database !== null && !database.settings.options.disable_signup && wants.subject === null
