// What the other side of a connection needs: the addresses and names that an administrator enters at the identity provider.
import { PORTAL_PATH } from '../../clients/portal'
import { type Connection, isOpen, isSaml, isUpstream, ownerOf } from '../connection'
import { ADFS, speaksWsFederation, WAAD } from '../wsfed-options'
import { LOGGED_OUT_PATH, singleLogoutUrl } from './saml-metadata'
import { audienceOf, consumerUrls } from './saml-provider'
import { callbackUrl } from './upstream'

export const SETUP_NAMES = [
  ...(['redirect_uri', 'logout_uri', 'entity_id', 'acs_url', 'metadata_url', 'certificate_url'] as const),
  ...(['realm', 'reply_url', 'initiate_login_uri'] as const),
] as const

export type SetupName = (typeof SETUP_NAMES)[number]

export type ProviderSetup = { readonly [name in SetupName]?: string }

type Deps = { baseUrl: string; entityId: string }

/** Empty for a connection without a provider. */
export const providerSetupOf = (connection: Connection, deps: Deps): ProviderSetup => ({
  ...addressesOf(connection, deps),
  ...initiationOf(connection, deps),
})

/**
 * The page at which a login by this connection begins, for a provider that leads people to it (OpenID Connect Core 4): the account portal,
 * which is the one page of this server that needs no application. Not of a connection that the portal does not use.
 */
const initiationOf = (connection: Connection, { baseUrl }: Deps): ProviderSetup =>
  isUpstream(connection) && ownerOf(connection) === null && isOpen(connection)
    ? { initiate_login_uri: `${baseUrl}${PORTAL_PATH}?${new URLSearchParams({ connection: connection.name })}` }
    : {}

function addressesOf(connection: Connection, deps: Deps): ProviderSetup {
  const { baseUrl } = deps
  if (isSaml(connection))
    return {
      metadata_url: `${baseUrl}/samlp/metadata?${new URLSearchParams({ connection: connection.name })}`,
      entity_id: audienceOf(connection, deps),
      acs_url: consumerUrls(connection, deps)[0],
      logout_uri: singleLogoutUrl(connection, deps),
      certificate_url: `${baseUrl}/pem`,
    }
  if (!isUpstream(connection)) return {}
  const { strategy, settings } = connection
  if (strategy === ADFS || (strategy === WAAD && speaksWsFederation(settings.options)))
    return { realm: audienceOf(connection, deps), reply_url: callbackUrl(deps) }
  return { redirect_uri: callbackUrl(deps), logout_uri: `${baseUrl}${LOGGED_OUT_PATH}` }
}
