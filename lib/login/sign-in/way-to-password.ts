import type { LoginScreen } from '../../pages/screens'
import type { LoginState } from '../login-state'

/** The link from the pages of a one-time code to the login page, where that takes a password. */
export const wayToPassword = ({ databases }: LoginState, urlOf: (screen: LoginScreen) => string) =>
  databases.length === 0 ? {} : { loginUrl: urlOf('login') }
