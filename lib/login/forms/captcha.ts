// The way on for a browser without JavaScript, or a user who cannot solve the captcha: a code by mail. The form is the one of the
// action that the captcha guards.
import { mailCaptchaCode } from '../flow/captcha'
import type { FormAction, GuardedAction } from './action'

/** The action, and the one that mails a code for it. */
export const withCodeByMail = (action: GuardedAction): readonly FormAction[] => [
  {
    name: `captcha-${action.name}`,
    run: (state, input, context, deps) => mailCaptchaCode(action.guard, state, input, context, deps),
  },
  action,
]
