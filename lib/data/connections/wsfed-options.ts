// The options of the connections that speak WS-Federation, under the vendor's names where it has one: `adfs`, and `waad` if
// `waad_protocol` selects it. Options shared with SAML connections are in saml-options.ts.
import * as z from 'zod'
import { federatedOptions, upstreamOptions, upstreamParameters } from './federated-options'
import { samlOptions } from './saml-options'

/** A host, whose metadata is at the usual path, or the URL of the metadata. */
const server = z
  .string()
  .max(2048)
  .regex(/^(?:https?:\/\/[^\s]+|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/i, 'must be a host or an address')
  .refine((text) => URL.canParse(/^https?:/.test(text) ? text : `https://${text}`), 'must be a host or an address')

const { shape: shared } = samlOptions.pick({ entityId: true, fieldsMap: true, end_refresh_tokens_with_session: true })
const { signInEndpoint, signOutEndpoint, signingCert, idpEntityId } = samlOptions.shape

export const adfsOptions = z.object({
  ...upstreamOptions,
  upstream_params: upstreamParameters,
  adfs_server: server
    .optional()
    .meta({ title: 'Server', help: 'Its host, or the address of its metadata.', group: 'identity', order: 208 }),
  fedMetadataXml: z.string().max(200_000).optional().meta({
    title: 'Federation metadata',
    help: 'XML. What it says need not be entered below; what is entered below goes first.',
    multiline: true,
    format: 'metadata',
    group: 'identity',
    order: 209,
  }),
  /** The claim with the user's id; by default the token's name identifier, or `upn`. */
  user_id_attribute: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ title: 'Claim of the ID', help: 'Empty: the name identifier or upn.', group: 'claims', order: 275 }),
  signInEndpoint,
  signOutEndpoint,
  signingCert,
  idpEntityId,
  ...shared,
})

export type AdfsOptions = z.output<typeof adfsOptions>

/** Microsoft Entra ID speaks WS-Federation as well as OpenID Connect. */
export const waadOptions = federatedOptions.extend({
  waad_protocol: z
    .enum(['openid-connect', 'ws-federation'])
    .optional()
    .meta({
      title: 'Protocol',
      unset: 'OpenID Connect, unless use_wsfed is on',
      options: { 'openid-connect': 'OpenID Connect', 'ws-federation': 'WS-Federation' },
      group: 'provider',
      order: 200,
    }),
  /** The earlier name of `waad_protocol`. */
  use_wsfed: z.boolean().optional(),
  ...shared,
})

/** The vendor's strategy names; also the provider part of subjects. */
export const ADFS = 'adfs'
export const WAAD = 'waad'

type WaadProtocol = { waad_protocol?: unknown; use_wsfed?: unknown }

/** Of a `waad` connection. */
export const speaksWsFederation = ({ waad_protocol, use_wsfed }: WaadProtocol): boolean =>
  (waad_protocol ?? (use_wsfed ? 'ws-federation' : '')) === 'ws-federation'
