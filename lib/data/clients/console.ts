// The console as a client of this server: built in, so the Management API and the tenant file neither list nor change it, and a
// registered client with the same id does not replace it. Its secret is derived from the root secret and never stored or shown.
import type { Vault } from '../../kernel/secret'
import { type Client, type ClientPort, SECRET_PURPOSE, toClient } from './client'

export const CONSOLE_CLIENT = 'latchkey-console'
export const CONSOLE_PATH = '/console'

export const consoleCallback = (baseUrl: string): string => `${baseUrl}${CONSOLE_PATH}/auth/callback/latchkey`
export const consoleSignedOut = (baseUrl: string): string => `${baseUrl}${CONSOLE_PATH}/signed-out`

export const consoleSecret = (tenantId: string, vault: Vault): string =>
  vault.mac('console-client-secret', tenantId).toString('base64url')

type Site = { tenantId: string; baseUrl: string; vault: Vault }

export function withConsole<Port extends ClientPort>(registered: Port, site: Site): Port {
  const { tenantId, baseUrl, vault } = site
  const client: Client = toClient({
    clientId: CONSOLE_CLIENT,
    name: 'Console',
    secretDigest: vault.mac(SECRET_PURPOSE, consoleSecret(tenantId, vault)),
    settings: {
      app_type: 'regular_web',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
      is_first_party: true,
      callbacks: [consoleCallback(baseUrl)],
      allowed_logout_urls: [consoleSignedOut(baseUrl)],
      initiate_login_uri: baseUrl + CONSOLE_PATH,
    },
  })
  return { ...registered, find: async (id) => (id === CONSOLE_CLIENT ? client : registered.find(id)) }
}
