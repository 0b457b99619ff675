// The list of actions. A new action is one file and one line here.
import type { LoginScreen } from '../../pages/screens'
import { mailUnblockLink } from './account-locked'
import type { FormAction } from './action'
import { cancel } from './cancel'
import { mailCaptchaCodes } from './captcha'
import { acceptConsent, denyConsent } from './consent'
import { goToProvider, identify } from './federated'
import { checkResetCode, requestResetLink } from './forgot-password'
import { keepApart, linkAccounts } from './linking'
import { checkLoginLink } from './login-link'
import { useFactor, verifyFactor } from './mfa-challenge'
import { confirmFactor, enrollFactor, otherFactor } from './mfa-enroll'
import { savedRecoveryCode } from './mfa-recovery-code'
import { chooseOrganization, nameOrganization, searchOrganizations } from './organization'
import { addOfferedPasskey, createAccountWithPasskey, signInByPasskey, skipPasskey } from './passkey'
import { password } from './password'
import { checkLoginCode, resendLoginCode, sendLoginCode } from './passwordless'
import { continueAs, removeAccount, switchAccount } from './select-account'
import { createAccount } from './sign-up'

const ACTIONS: readonly FormAction[] = [
  ...mailCaptchaCodes,
  password,
  signInByPasskey,
  identify,
  goToProvider,
  createAccount,
  createAccountWithPasskey,
  requestResetLink,
  checkResetCode,
  mailUnblockLink,
  sendLoginCode,
  resendLoginCode,
  checkLoginCode,
  checkLoginLink,
  continueAs,
  switchAccount,
  removeAccount,
  useFactor,
  verifyFactor,
  enrollFactor,
  confirmFactor,
  otherFactor,
  savedRecoveryCode,
  addOfferedPasskey,
  skipPasskey,
  linkAccounts,
  keepApart,
  nameOrganization,
  chooseOrganization,
  searchOrganizations,
  acceptConsent,
  denyConsent,
  cancel,
]

/** The action with this name and the screen it belongs to, if that screen is among those that may be shown. */
export function actionFor(
  name: string | undefined,
  screens: readonly LoginScreen[],
): { action: FormAction; screen: LoginScreen } | undefined {
  const action = ACTIONS.find((known) => known.name === name)
  const screen = screens.find((known) => action?.on.includes(known))
  return action && screen && { action, screen }
}
