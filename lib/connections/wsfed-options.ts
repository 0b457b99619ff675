// The options of a WS-Federation connection, under the vendor's names where it has one: `adfs`, and `waad` if `waad_protocol`
// selects it. Options shared with SAML connections are in saml-options.ts.
import * as z from 'zod'
import { samlOptions } from './saml-options'

/** A host, whose metadata is at the usual path, or the URL of the metadata. */
const server = z
  .string()
  .max(2048)
  .regex(/^(?:https?:\/\/[^\s]+|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/i, 'must be a host or an address')
  .refine((text) => URL.canParse(/^https?:/.test(text) ? text : `https://${text}`), 'must be a host or an address')

export const wsfedOptions = {
  adfs_server: server.optional(),
  fedMetadataXml: z.string().max(200_000).optional(),
  /** The claim with the user's id; by default the token's name identifier, or `upn`. */
  user_id_attribute: z.string().min(1).max(1024).optional(),
  waad_protocol: z.enum(['openid-connect', 'ws-federation']).optional(),
  /** The earlier name of `waad_protocol`. */
  use_wsfed: z.boolean().optional(),
}

/** Options that `adfs` shares with SAML connections. */
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

/** Options of `waad` in addition to those of OpenID Connect. */
export const waadOptions = {
  waad_protocol: wsfedOptions.waad_protocol,
  use_wsfed: wsfedOptions.use_wsfed,
  entityId,
  fieldsMap,
}

/** The vendor's strategy names; also the provider part of subjects. */
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
