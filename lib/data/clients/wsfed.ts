// A client's WS-Federation settings: `addons.wsfed`, with the names and defaults of the vendor's `samlConfiguration`, which
// configures its tokens there; the lifetime is the vendor's for WS-Federation. SHA-256 is the default, and two fields are our
// own: `tokenType` and `includeUnverifiedEmail`.
import * as z from 'zod'
import { regrouped } from '../../kernel/schema-meta'
import type { Client } from './client'
import { samlSettings } from './saml'

const DAY = 86400
const EIGHT_HOURS = 28800

/** The token types of relying parties: SAML 1.1, usual in WS-Federation, SAML 2.0, or a JWT. */
export const TOKEN_TYPES = ['saml11', 'saml20', 'jwt'] as const

export const wsfedSettings = z.object({
  ...regrouped(
    samlSettings.pick({
      issuer: true,
      audience: true,
      mappings: true,
      createUpnClaim: true,
      passthroughClaimsWithNoMapping: true,
      mapUnknownClaimsAsIs: true,
      mapIdentities: true,
      typedAttributes: true,
      includeAttributeNameFormat: true,
      signatureAlgorithm: true,
      digestAlgorithm: true,
      nameIdentifierFormat: true,
      nameIdentifierProbes: true,
      includeUnverifiedEmail: true,
      authnContextClassRef: true,
    }).shape,
    (group) => group.replace('saml', 'wsfed'),
    100,
  ),
  lifetimeInSeconds: z
    .number()
    .int()
    .positive()
    .max(DAY)
    .default(EIGHT_HOURS)
    .meta({ title: 'Lifetime of tokens', unit: 'seconds', group: 'wsfed', order: 308 }),
  tokenType: z
    .enum(TOKEN_TYPES)
    .default('saml11')
    .meta({
      title: 'Type of tokens',
      group: 'wsfed',
      order: 300,
      options: { saml11: 'SAML 1.1', saml20: 'SAML 2.0', jwt: 'JWT' },
    }),
})

export type WsFedSettings = z.output<typeof wsfedSettings>

const DEFAULTS = wsfedSettings.parse({})

/**
 * Null if the client may not use WS-Federation. As with SAML, a first-party application needs no add-on, and a third party may
 * use it only if an operator gave it the add-on (threat-model.md WF1).
 */
export const wsfedOf = ({ settings }: Client): WsFedSettings | null =>
  settings.addons.wsfed ?? (settings.is_first_party ? DEFAULTS : null)
