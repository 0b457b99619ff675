// Leaving without signing in: the application hears access_denied.
import type { Action } from './action'

export const cancel: Action = {
  name: 'cancel',
  on: ['login', 'signup', 'select-account', 'passwordless', 'passwordless-code', 'mfa-challenge', 'mfa-enroll'],
  run: () => ({ kind: 'refused', description: 'User cancelled the login' }),
}
