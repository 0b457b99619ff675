// The picker of accounts: continue as the signed-in user, sign in as another that this browser remembers, as someone else, or
// remove an account from the browser. Only the session's user continues without a proof.
import type { User } from '../../data/users/user'
import type { Parameters } from '../../kernel/parameters'
import type { AccountView } from '../../pages/view'
import { personView } from '../flow/person-views'
import type { FormAction, FormResult } from '../forms/action'
import { cancel } from '../forms/cancel'
import type { LoginState } from '../login-state'
import { leaveFor } from '../upstream/upstream'
import type { LoginPage, LoginStep } from './step'

declare module '../transaction' {
  interface Decisions {
    /** The user chose to continue with the signed-in account. */
    account?: 'selected'
  }
}

const continueAs: FormAction = {
  name: 'continue',
  run(state, { account }, { handle }, deps): Promise<FormResult> | FormResult {
    const chosen = state.remembered.find(({ id }) => id === account)
    if (!chosen || chosen.id === state.user?.id) return state.user ? asSignedIn(state) : asAnother(state, '')
    const upstream = state.federated.find(({ name }) => name === chosen.connection)
    if (!upstream) return asAnother(state, chosen.email ?? chosen.name, chosen.connection)
    const hint = chosen.email === undefined ? {} : { identifier: chosen.email }
    return leaveFor(upstream, 'chosen', { ...state, decisions: hint }, handle, deps)
  },
}

const switchAccount: FormAction = {
  name: 'switch',
  run: (state) => asAnother(state, ''),
}

/** A signed-in user stays signed in. */
const removeAccount: FormAction = {
  name: 'forget',
  run: ({ decisions }: LoginState, { account = '' }: Parameters): FormResult => ({
    kind: 'again',
    decisions,
    forgotten: account,
  }),
}

const asSignedIn = ({ decisions }: LoginState): FormResult => ({
  kind: 'progress',
  decisions: { ...decisions, account: 'selected' },
})

const asAnother = ({ decisions }: LoginState, identifier: string, database?: string): FormResult => ({
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

/** The signed-in user first, then the other accounts of this browser. */
function accountsOf({ user, remembered }: LoginState): AccountView[] {
  const others = remembered.filter(({ id }) => id !== user?.id)
  return [
    ...(user ? [{ ...accountView(user), signedIn: true as const }] : []),
    ...others.map(({ connection: _, ...account }) => account),
  ]
}

const accountView = (user: User) => ({
  id: user.id,
  ...personView(user),
  ...(user.picture === null ? {} : { picture: user.picture }),
})

/** Also one of the pages of a sign-in. */
export const accountPicker: LoginPage<'select-account'> = {
  screen: 'select-account',
  view: ({ state, shared }) => ({ ...shared, screen: 'select-account', accounts: accountsOf(state), cancel: true }),
  actions: [continueAs, switchAccount, removeAccount, cancel],
}

export const accountSelected: LoginStep = {
  name: 'account-selected',
  unmet: ({ wants, user, remembered, decisions }) =>
    wants.prompt.includes('select_account') &&
    (user !== null || remembered.length > 0) &&
    decisions.account !== 'selected',
  pages: [accountPicker],
  refusal: { code: 'interaction_required', description: 'Account selection required' },
}
