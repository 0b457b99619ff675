// What the login page asks for and which providers it offers. If some domain belongs to a provider, the page asks for the
// address first, and for a password only if the address belongs to no provider. A tenant may ask for it first in any case.
import { connectionLabel, type DatabaseConnection, type UpstreamConnection } from '../../data/connections/connection'
import { isEnterprise } from '../../data/connections/enterprise'
import type { ViewOf } from '../../pages/screens'
import type { DatabaseView, ProviderView } from '../../pages/view'
import type { LoginState } from '../login-state'
import { databaseChoices, databaseOf } from './database'
import { hasRealms } from './home-realm'
import { toProve } from './linking'

type LoginView = ViewOf<'login'>

type WaysIn = Pick<
  LoginView,
  'identifierKind' | 'databases' | 'asks' | 'identifierFirst' | 'providers' | 'lastUsedCode'
>

export function waysIn(state: LoginState): WaysIn {
  const asks = promptedFor(state)
  if (!asks) databaseOf(state)
  const choices = asks ? [] : databaseChoices(state)
  const [last] = state.remembered
  const providers = offered(state).map((connection) => providerView(connection, last?.connection))
  return {
    identifierKind: state.databases.some(({ settings }) => settings.options.requires_username) ? 'either' : 'email',
    ...(asks ? { asks } : {}),
    ...(asks === undefined && asksNameFirst(state) ? { identifierFirst: true as const } : {}),
    ...(choices.length > 0 ? { databases: choices.map((each) => databaseView(each, state)) } : {}),
    ...(providers.length > 0 ? { providers } : {}),
    ...(state.passwordless.some(({ name }) => name === last?.connection) ? { lastUsedCode: true as const } : {}),
  }
}

const asksNameFirst = (state: LoginState): boolean =>
  hasRealms(state) || (state.identifierFirst && state.databases.length > 0 && toProve(state) === null)

function promptedFor(state: LoginState): LoginView['asks'] {
  if (asksNameFirst(state) && (state.databases.length === 0 || !state.decisions.identified)) return 'identifier'
  return state.databases.length === 0 && state.federated.length > 0 ? 'nothing' : undefined
}

/** An enterprise connection is found by the address, unless it has a button or is the only way to sign in. */
function offered(state: LoginState): readonly UpstreamConnection[] {
  if (toProve(state)) return state.federated
  const { organization } = state
  const shown = state.federated.filter(
    (connection) =>
      organization?.connections[connection.id]?.showAsButton ??
      connection.settings.show_as_button ??
      !isEnterprise(connection),
  )
  return shown.length > 0 || state.databases.length > 0 || hasRealms(state) ? shown : state.federated
}

export const databaseView = (database: DatabaseConnection, { decisions }: LoginState): DatabaseView => ({
  name: database.name,
  label: connectionLabel(database),
  ...(database.name === decisions.database ? { chosen: true as const } : {}),
})

function providerView(connection: UpstreamConnection, lastUsed: string | undefined): ProviderView {
  const name = connectionLabel(connection)
  const { icon_url } = connection.settings.options
  return {
    connection: connection.name,
    name,
    initial: [...name][0]?.toLocaleUpperCase('en') ?? '',
    ...(icon_url === undefined ? {} : { iconUrl: icon_url }),
    ...(connection.name === lastUsed ? { lastUsed: true as const } : {}),
  }
}
