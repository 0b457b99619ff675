// Leaving without signing in: the application hears access_denied. Whoever was to prove a second account, to link it, is asked
// again whether to.
import type { Action } from './action'
import { backToQuestion } from './linking'

export const cancel: Action = {
  name: 'cancel',
  on: ['login', 'signup', 'select-account', 'passwordless', 'passwordless-code', 'mfa-challenge', 'mfa-enroll'],
  run: async (state, _input, _context, deps) =>
    (await backToQuestion(state, deps)) ?? { kind: 'refused', description: 'User cancelled the login' },
}
