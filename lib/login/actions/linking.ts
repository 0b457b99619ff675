// The user's answer to the account linking suggestion, and the way back to the question while the other account is being
// proven.
// - A refusal is stored with the account when the login finishes; the suggestion is not made again for that address.
import type { LoginDeps } from '../deps'
import { askingAgain, isLinking } from '../steps/linking'
import type { LoginState } from '../steps/requirements'
import type { FormAction, Progress } from './action'

export const linkAccounts: FormAction = {
  name: 'link',
  on: ['link-account'],
  run({ decisions }) {
    const { linking } = decisions
    if (linking?.phase !== 'offered') return { kind: 'again', decisions }
    return { kind: 'progress', decisions: { ...decisions, linking: { phase: 'accepted', other: linking.other } } }
  },
}

export const keepApart: FormAction = {
  name: 'keep-apart',
  on: ['link-account'],
  run: ({ decisions }) => ({ kind: 'progress', decisions: { ...decisions, linking: { phase: 'declined' } } }),
}

/** Null if no account is being proven for linking. */
export async function backToQuestion(state: LoginState, deps: LoginDeps): Promise<Progress | null> {
  const { linking } = state.decisions
  if (!isLinking(state) || !linking || !('other' in linking)) return null
  const decisions = askingAgain(state.decisions, linking.other)
  if (linking.phase !== 'proving') return { kind: 'progress', decisions }
  const { userId, evidence } = linking.first
  return { kind: 'progress', user: await deps.users.find(userId), evidence, decisions }
}
