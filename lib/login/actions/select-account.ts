// prompt=select_account: continue as the signed-in user, or sign in as another user.
import type { Action } from './action'

export const continueAs: Action = {
  name: 'continue',
  on: ['select-account'],
  run: (state) => ({ kind: 'progress', decisions: { ...state.decisions, account: 'selected' } }),
}

export const switchAccount: Action = {
  name: 'switch',
  on: ['select-account'],
  run: (state) => ({
    kind: 'progress',
    user: null,
    evidence: [],
    decisions: { ...state.decisions, account: 'selected', identifier: '' },
  }),
}
