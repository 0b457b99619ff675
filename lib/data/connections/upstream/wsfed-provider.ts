// A WS-Federation connection's provider (`adfs`, or `waad` if so configured): its issuer, endpoint and signing keys, from its
// federation metadata or the connection. The issuer must be known: tokens of Microsoft's common endpoint, which any tenant can
// obtain, are never accepted.
import type { KeyObject } from 'node:crypto'
import type { WsFedConnection } from '../connection'
import { ADFS, type AdfsOptions } from '../wsfed-options'
import { metadataOf, notSetUp } from './metadata-document'
import { keysOf } from './saml-provider'
import type { ReadMetadataDeps } from './upstream'

export type WsFedProvider = {
  issuer: string
  keys: readonly KeyObject[]
  signIn: string
  signOut: string
}

export async function wsfedProviderOf(connection: WsFedConnection, deps: ReadMetadataDeps): Promise<WsFedProvider> {
  // A `waad` connection has its metadata alone.
  const options: Partial<AdfsOptions> = connection.strategy === ADFS ? connection.settings.options : {}
  const place = { xml: options.fedMetadataXml, url: metadataUrlOf(connection) }
  const metadata = await metadataOf(connection, place, (xml) => deps.readXml('federationMetadata', xml), deps)
  const keys = keysOf(options, metadata)
  const signIn = options.signInEndpoint ?? metadata?.passive
  const issuer = options.idpEntityId ?? metadata?.entityId
  if (keys.length === 0 || !signIn) throw notSetUp('the provider names no key or no address to sign in at')
  if (!issuer || issuer.includes('{')) throw notSetUp('it is not known what the provider calls itself')
  return { issuer, keys, signIn, signOut: options.signOutEndpoint ?? signIn }
}

const DOCUMENT = 'FederationMetadata/2007-06/FederationMetadata.xml'

export function metadataUrlOf({ strategy, settings }: WsFedConnection): string | undefined {
  if (strategy !== ADFS) {
    const { tenant_domain: tenant } = settings.options
    return tenant && `https://login.microsoftonline.com/${tenant}/${DOCUMENT}`
  }
  const { adfs_server: server } = settings.options
  if (!server) return undefined
  const url = new URL(/^https?:/.test(server) ? server : `https://${server}`)
  return url.pathname === '/' ? `${url.origin}/${DOCUMENT}` : url.href
}
