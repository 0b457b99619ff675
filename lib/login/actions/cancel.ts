// Cancels the login: the client gets `access_denied`. A user who cancels while proving a second account for linking returns to
// the linking question instead.
import type { FormAction } from './action'
import { backToQuestion } from './linking'

export const cancel: FormAction = {
  name: 'cancel',
  on: [
    'login',
    'signup',
    'select-account',
    'passwordless',
    'passwordless-code',
    'mfa-challenge',
    'mfa-enroll',
    'organization-selection',
    'organization-picker',
  ],
  run: async (state, _input, _context, deps) =>
    (await backToQuestion(state, deps)) ?? {
      kind: 'refused',
      description: 'User cancelled the login',
      reason: 'person_cancelled',
    },
}
