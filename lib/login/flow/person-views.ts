// The application and the person as pages name them.
import type { Client } from '../../data/clients/client'
import { PORTAL_CLIENT } from '../../data/clients/portal'
import { displayNameOf, type User } from '../../data/users/user'
import type { LoginState } from '../login-state'
import { mayChangeSignIn } from './authenticated'

export const clientView = (client: Client) => ({
  name: client.name,
  ...(client.clientId === PORTAL_CLIENT ? { isPortal: true as const } : {}),
  ...(client.settings.logo_uri === undefined ? {} : { logoUrl: client.settings.logo_uri }),
  ...(client.settings.client_uri === undefined ? {} : { homepage: client.settings.client_uri }),
})

export const linksOf = ({ settings: { policy_uri, tos_uri } }: Client) => ({
  ...(policy_uri === undefined ? {} : { policyUrl: policy_uri }),
  ...(tos_uri === undefined ? {} : { termsUrl: tos_uri }),
})

export const personView = (user: User | null) => ({
  name: user ? displayNameOf(user) : '',
  ...(user?.email ? { email: user.email } : {}),
})

export const changeOf = (state: LoginState): { changesSignIn?: true } =>
  mayChangeSignIn(state) ? { changesSignIn: true } : {}
