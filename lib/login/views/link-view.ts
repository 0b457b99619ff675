// The view data of the account linking suggestion: the address of both accounts, and the sign-in methods of the other one.
import { type Connection, connectionLabel, DATABASE } from '../../connections/connection'
import { providerOf } from '../../connections/upstream/providers'
import type { ViewOf } from '../../pages/screens'
import { isPasswordless } from '../../strategies/passwordless'
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
  if (connection.strategy === DATABASE) return { kind: 'password' }
  if (isPasswordless(connection)) return { kind: connection.strategy }
  return { kind: 'provider', name: connectionLabel(connection, providerOf(connection.strategy)?.name) }
}

const isFirstOfItsKind = (way: WayView, index: number, all: readonly WayView[]): boolean =>
  way.kind === 'provider' || all.findIndex(({ kind }) => kind === way.kind) === index
