// The way on for a browser without JavaScript, or a user who cannot solve the captcha: a code by mail. The form is the one of the
// action that the captcha guards.
import { mailCaptchaCode } from '../steps/captcha'
import type { FormAction } from './action'
import { requestResetLink } from './forgot-password'
import { password } from './password'
import { sendLoginCode } from './passwordless'
import { createAccount } from './sign-up'

const mailFor = ({ name, on, guard }: FormAction): FormAction => ({
  name: `captcha-${name}`,
  on,
  run(state, input, context, deps) {
    if (!guard) throw new Error(`${name} has no captcha`)
    return mailCaptchaCode(guard, state, input, context, deps)
  },
})

export const mailCaptchaCodes: readonly FormAction[] = [password, createAccount, requestResetLink, sendLoginCode].map(
  mailFor,
)
