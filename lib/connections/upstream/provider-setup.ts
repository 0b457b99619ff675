// What the other side of a connection needs: the addresses and names that an administrator enters at the identity provider.
import { type Connection, isSaml, isUpstream } from '../connection'
import { ADFS, speaksWsFederation, WAAD } from '../wsfed-options'
import { LOGGED_OUT_PATH, singleLogoutUrl } from './saml-metadata'
import { audienceOf, consumerUrls } from './saml-provider'
import { callbackUrl } from './upstream'

export type SetupName =
  | 'redirect_uri'
  | 'logout_uri'
  | 'entity_id'
  | 'acs_url'
  | 'metadata_url'
  | 'certificate_url'
  | 'realm'
  | 'reply_url'

export type ProviderSetup = { readonly [name in SetupName]?: string }

/** Empty for a connection without a provider. */
export function providerSetupOf(connection: Connection, deps: { baseUrl: string; entityId: string }): ProviderSetup {
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
