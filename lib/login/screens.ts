// Screen ↔ path, and what each screen shows. The pages get plain data; they know neither protocol nor store.

import type { Client } from '../clients/client'
import { chooseConnection, DATABASE } from '../connections/connection'
import { accessDenied } from '../kernel/errors'
import { NOTICE_CODES, type NoticeCode, type ScreenView } from '../pages/view'
import { displayNameOf, type User } from '../users/user'
import type { LoginDeps } from './deps'
import type { OpenTransaction } from './open'
import { type LoginScreen, type LoginState, toAgree } from './requirements'

const PATHS: Record<LoginScreen, string> = {
  login: '/u/login',
  'select-account': '/u/select-account',
  consent: '/u/consent',
}

export const SUBMIT_PATH = '/u/submit'

export function screenUrl(screen: LoginScreen, handle: string, notice?: NoticeCode): string {
  const query = new URLSearchParams({ state: handle, ...(notice === undefined ? {} : { notice }) })
  return `${PATHS[screen]}?${query}`
}

export const isScreenPath = (screen: LoginScreen, path: string): boolean => PATHS[screen] === path

export async function viewOf(
  { handle, state, transaction }: OpenTransaction,
  screen: LoginScreen,
  notice: string | undefined,
  deps: LoginDeps,
): Promise<ScreenView> {
  const known = NOTICE_CODES.find((code) => code === notice)
  const shared = {
    action: SUBMIT_PATH,
    state: handle,
    client: clientView(state.client),
    ...(known === undefined ? {} : { notice: known }),
  }
  switch (screen) {
    case 'login':
      return {
        ...shared,
        screen,
        identifierKind: await identifierKind(state, deps),
        cancel: true,
        ...(transaction.decisions.identifier === undefined ? {} : { identifier: transaction.decisions.identifier }),
        ...(known === undefined && state.user && state.wants.prompt.includes('login')
          ? { notice: 'reauthentication' as const }
          : {}),
      }
    case 'select-account':
      return { ...shared, screen, accounts: state.user ? [accountView(state.user)] : [], cancel: true }
    case 'consent':
      return {
        ...shared,
        screen,
        client: { ...shared.client, thirdParty: !state.client.settings.is_first_party },
        user: personView(state.user),
        scopes: toAgree(state.wants).map((value) => scopeView(value, state)),
        ...(state.api ? { audienceName: state.api.name } : {}),
      }
  }
}

export const clientView = (client: Client) => ({
  name: client.name,
  ...(client.settings.logo_uri === undefined ? {} : { logoUrl: client.settings.logo_uri }),
  ...(client.settings.client_uri === undefined ? {} : { homepage: client.settings.client_uri }),
})

const accountView = (user: User) => ({
  id: user.id,
  ...personView(user),
  ...(user.picture === null ? {} : { picture: user.picture }),
})

export const personView = (user: User | null) => ({
  name: user ? displayNameOf(user) : '',
  ...(user?.email ? { email: user.email } : {}),
})

function scopeView(value: string, { api }: LoginState) {
  const description = api?.scopes.get(value)
  return description === undefined ? { value } : { value, description }
}

async function identifierKind(state: LoginState, deps: LoginDeps): Promise<'email' | 'username' | 'either'> {
  const connection = await loginConnection(state, deps)
  return connection.settings.options.requires_username ? 'either' : 'email'
}

/** The database connection that this login's password form is for. */
export async function loginConnection({ wants, client }: Pick<LoginState, 'wants' | 'client'>, deps: LoginDeps) {
  const connection = chooseConnection(
    await deps.connections.all(),
    client.clientId,
    wants.connection ?? undefined,
    deps.settings.tenant.default_directory,
  )
  if (connection?.strategy === DATABASE) return connection
  throw accessDenied('The connection is not available to this application', {
    page: { code: 'connection_unavailable' },
  })
}
