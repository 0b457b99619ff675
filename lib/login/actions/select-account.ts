// The picker of accounts: continue as the signed-in user, sign in as another that this browser remembers, as someone else, or
// remove an account from the browser. Only the session's user continues without a proof.
import type { Parameters } from '../../kernel/parameters'
import type { LoginState } from '../steps/requirements'
import { leaveFor } from '../upstream/upstream'
import type { FormAction, Progress } from './action'

export const continueAs: FormAction = {
  name: 'continue',
  on: ['select-account'],
  run(state, { account }, { handle }, deps): Promise<Progress> | Progress {
    const chosen = state.remembered.find(({ id }) => id === account)
    if (!chosen || chosen.id === state.user?.id) return state.user ? asSignedIn(state) : asAnother(state, '')
    const upstream = state.federated.find(({ name }) => name === chosen.connection)
    if (!upstream) return asAnother(state, chosen.email ?? chosen.name, chosen.connection)
    const hint = chosen.email === undefined ? {} : { identifier: chosen.email }
    return leaveFor(upstream, { ...state, decisions: hint }, handle, deps)
  },
}

export const switchAccount: FormAction = {
  name: 'switch',
  on: ['select-account'],
  run: (state) => asAnother(state, ''),
}

/** A signed-in user stays signed in. */
export const removeAccount: FormAction = {
  name: 'forget',
  on: ['select-account'],
  run: ({ decisions }: LoginState, { account = '' }: Parameters): Progress => ({
    kind: 'again',
    decisions,
    forgotten: account,
  }),
}

const asSignedIn = ({ decisions }: LoginState): Progress => ({
  kind: 'progress',
  decisions: { ...decisions, account: 'selected' },
})

const asAnother = ({ decisions }: LoginState, identifier: string, database?: string): Progress => ({
  kind: 'progress',
  user: null,
  evidence: [],
  decisions: {
    ...decisions,
    account: 'selected',
    identifier,
    ...(identifier === '' ? {} : { identified: true }),
    ...(database === undefined ? {} : { database }),
  },
})
