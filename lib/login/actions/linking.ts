// The answer to the suggestion to link two accounts, and the way back to it while the other account is being proven.
// - To keep them apart is remembered with the account when the login is finished; it is not asked again for that address.
import type { LoginDeps } from '../deps'
import { askingAgain, isLinking } from '../steps/linking'
import type { LoginState } from '../steps/requirements'
import type { Action, Progress } from './action'

export const linkAccounts: Action = {
  name: 'link',
  on: ['link-account'],
  run({ decisions }) {
    const { linking } = decisions
    if (linking?.phase !== 'offered') return { kind: 'again', decisions }
    return { kind: 'progress', decisions: { ...decisions, linking: { phase: 'accepted', other: linking.other } } }
  },
}

export const keepApart: Action = {
  name: 'keep-apart',
  on: ['link-account'],
  run: ({ decisions }) => ({ kind: 'progress', decisions: { ...decisions, linking: { phase: 'declined' } } }),
}

/** Null where no account is being proven for a link. */
export async function backToQuestion(state: LoginState, deps: LoginDeps): Promise<Progress | null> {
  const { linking } = state.decisions
  if (!isLinking(state) || !linking || !('other' in linking)) return null
  const decisions = askingAgain(state.decisions, linking.other)
  if (linking.phase !== 'proving') return { kind: 'progress', decisions }
  const { userId, evidence } = linking.first
  return { kind: 'progress', user: await deps.users.find(userId), evidence, decisions }
}
