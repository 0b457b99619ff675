// Cancels the login: the client gets `access_denied`. A user who cancels while proving a second account for linking returns to
// the linking question instead.
import type { LoginDeps } from '../deps'
import { askingAgain, isLinking } from '../flow/linking'
import type { LoginState } from '../login-state'
import type { FormAction, FormResult } from './action'

export const cancel: FormAction = {
  name: 'cancel',
  run: async (state, _input, _context, deps) =>
    (await backToQuestion(state, deps)) ?? {
      kind: 'refused',
      description: 'User cancelled the login',
      reason: 'person_cancelled',
    },
}

/** Null if no account is being proven for linking. */
async function backToQuestion(state: LoginState, deps: LoginDeps): Promise<FormResult | null> {
  const { linking } = state.decisions
  if (!isLinking(state) || !linking || !('other' in linking)) return null
  const decisions = askingAgain(state.decisions, linking.other)
  if (linking.phase !== 'proving') return { kind: 'progress', decisions }
  const { userId, evidence } = linking.first
  return { kind: 'progress', user: await deps.users.find(userId), evidence, decisions }
}
