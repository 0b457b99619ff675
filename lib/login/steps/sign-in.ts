// The user signs in, in one of several ways: each is a page in lib/login/sign-in/.
import { ENROLLING_SECONDS } from '../../data/apis/built-in'
import { hasToEnroll, isAuthenticated, isProvenWithin } from '../flow/authenticated'
import { accountLockedPage } from '../sign-in/account-locked'
import { signInScreens } from '../sign-in/due-screens'
import { forgotPasswordPage } from '../sign-in/forgot-password'
import { loginPage } from '../sign-in/login'
import { passwordlessPage } from '../sign-in/passwordless'
import { passwordlessCodePage } from '../sign-in/passwordless-code'
import { signUpPage } from '../sign-in/sign-up'
import { accountPicker } from './select-account'
import { type LoginStep, MULTI_FACTOR } from './step'

const SIGN_IN: Pick<LoginStep, 'pages' | 'screens'> = {
  pages: [
    loginPage,
    signUpPage,
    forgotPasswordPage,
    accountLockedPage,
    passwordlessPage,
    passwordlessCodePage,
    accountPicker,
  ],
  screens: signInScreens,
}

export const authenticated: LoginStep = {
  name: 'authenticated',
  unmet: (state) => !isAuthenticated(state),
  ...SIGN_IN,
  refusal: { code: 'login_required', description: 'Login required' },
}

/** A session left open adds no factor (threat-model.md SE7). */
export const recentlyAuthenticated: LoginStep = {
  name: 'recently-authenticated',
  unmet: (state) => hasToEnroll(state) && !isProvenWithin(ENROLLING_SECONDS, state),
  ...SIGN_IN,
  refusal: MULTI_FACTOR,
}
