// The options of a connection whose provider speaks WS-Federation, in the vendor's names where it has one: `adfs`, and `waad`
// where `waad_protocol` says so. What SAML connections have as well stands in saml-options.ts.
import * as z from 'zod'
import { samlOptions } from './saml-options'

/** A host, whose metadata is where such servers have it, or the metadata's address. */
const server = z
  .string()
  .max(2048)
  .regex(/^(?:https?:\/\/[^\s]+|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/i, 'must be a host or an address')
  .refine((text) => URL.canParse(/^https?:/.test(text) ? text : `https://${text}`), 'must be a host or an address')

export const wsfedOptions = {
  adfs_server: server.optional(),
  fedMetadataXml: z.string().max(200_000).optional(),
  /** The claim that tells people apart; the token's name identifier, or `upn`, unless told. */
  user_id_attribute: z.string().min(1).max(1024).optional(),
  waad_protocol: z.enum(['openid-connect', 'ws-federation']).optional(),
  /** What `waad_protocol` was called before. */
  use_wsfed: z.boolean().optional(),
}

/** What `adfs` shares with SAML connections. */
const { signInEndpoint, signOutEndpoint, signingCert, entityId, idpEntityId, fieldsMap } = samlOptions

export const adfsOptions = {
  adfs_server: wsfedOptions.adfs_server,
  fedMetadataXml: wsfedOptions.fedMetadataXml,
  user_id_attribute: wsfedOptions.user_id_attribute,
  signInEndpoint,
  signOutEndpoint,
  signingCert,
  entityId,
  idpEntityId,
  fieldsMap,
}

/** What `waad` takes besides what it has by OpenID Connect. */
export const waadOptions = {
  waad_protocol: wsfedOptions.waad_protocol,
  use_wsfed: wsfedOptions.use_wsfed,
  entityId,
  fieldsMap,
}

/** Strategy names, as the vendor has them; also the provider part of subjects. */
export const ADFS = 'adfs'
export const WAAD = 'waad'

type ProviderSettings = {
  strategy: string
  settings: { options: { waad_protocol?: string | undefined; use_wsfed?: boolean | undefined } }
}

export function speaksWsFederation({ strategy, settings: { options } }: ProviderSettings): boolean {
  if (strategy === ADFS) return true
  return strategy === WAAD && (options.waad_protocol ?? (options.use_wsfed ? 'ws-federation' : '')) === 'ws-federation'
}
