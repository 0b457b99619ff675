// The view data of the account linking suggestion: the address of both accounts, and the sign-in methods of the other one.
import { type Connection, connectionLabel, isDatabase, isPasswordless } from '../../data/connections/connection'
import type { ViewOf } from '../../pages/screens'
import type { LoginState } from '../steps/requirements'

type LinkAccountView = ViewOf<'link-account'>
type WayView = LinkAccountView['ways'][number]
type Shared = Omit<LinkAccountView, 'screen' | 'email' | 'ways'>

export const linkAccountView = ({ user, otherWays }: LoginState, shared: Shared): LinkAccountView => ({
  ...shared,
  screen: 'link-account',
  email: user?.email ?? '',
  ways: otherWays.map(wayView).filter(isFirstOfItsKind),
})

function wayView(connection: Connection): WayView {
  if (isDatabase(connection)) return { kind: 'password' }
  if (isPasswordless(connection)) return { kind: connection.strategy }
  return { kind: 'provider', name: connectionLabel(connection) }
}

const isFirstOfItsKind = (way: WayView, index: number, all: readonly WayView[]): boolean =>
  way.kind === 'provider' || all.findIndex(({ kind }) => kind === way.kind) === index
