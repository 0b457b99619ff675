// The suggestion to link two accounts (docs/adr/0019). The page names the address of both, and how to sign in to the other one.
// - A refusal is stored with the account when the login finishes; the suggestion is not made again for that address.
import { type Connection, connectionLabel, isDatabase, isPasswordless } from '../../data/connections/connection'
import type { ViewOf } from '../../pages/screens'
import type { FormAction } from '../forms/action'
import type { LoginPage, LoginStep } from './step'

const linkAccounts: FormAction = {
  name: 'link',
  run({ decisions }) {
    const { linking } = decisions
    if (linking?.phase !== 'offered') return { kind: 'again', decisions }
    return { kind: 'progress', decisions: { ...decisions, linking: { phase: 'accepted', other: linking.other } } }
  },
}

const keepApart: FormAction = {
  name: 'keep-apart',
  run: ({ decisions }) => ({ kind: 'progress', decisions: { ...decisions, linking: { phase: 'declined' } } }),
}

type WayView = ViewOf<'link-account'>['ways'][number]

function wayView(connection: Connection): WayView {
  if (isDatabase(connection)) return { kind: 'password' }
  if (isPasswordless(connection)) return { kind: connection.strategy }
  return { kind: 'provider', name: connectionLabel(connection) }
}

const isFirstOfItsKind = (way: WayView, index: number, all: readonly WayView[]): boolean =>
  way.kind === 'provider' || all.findIndex(({ kind }) => kind === way.kind) === index

const page: LoginPage<'link-account'> = {
  screen: 'link-account',
  view: ({ state: { user, otherWays }, shared }) => ({
    ...shared,
    screen: 'link-account',
    email: user?.email ?? '',
    ways: otherWays.map(wayView).filter(isFirstOfItsKind),
  }),
  actions: [linkAccounts, keepApart],
}

export const linkingDecided: LoginStep = {
  name: 'linking-decided',
  unmet: ({ decisions }) => decisions.linking?.phase === 'offered',
  pages: [page],
  refusal: { code: 'interaction_required', description: 'Whether to link two accounts has to be decided' },
}
