// What a client says of WS-Federation: `addons.wsfed`, in the names and with the defaults of the vendor's
// `samlConfiguration`, which is where its tokens are configured; the lifetime is the vendor's of WS-Federation. SHA-256
// where nothing is said, and two fields of our own: `tokenType` and `includeUnverifiedEmail`.
import * as z from 'zod'
import type { Client } from './client'
import { samlSettings } from './saml'

const DAY = 86400
const EIGHT_HOURS = 28800

/** What a relying party may be handed: SAML 1.1, which those of WS-Federation expect, SAML 2.0, or a JWT. */
export const TOKEN_TYPES = ['saml11', 'saml20', 'jwt'] as const

export const wsfedSettings = samlSettings
  .pick({
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
  })
  .extend({
    lifetimeInSeconds: z.number().int().positive().max(DAY).default(EIGHT_HOURS),
    tokenType: z.enum(TOKEN_TYPES).default('saml11'),
  })

export type WsFedSettings = z.output<typeof wsfedSettings>

const DEFAULTS = wsfedSettings.parse({})

/**
 * Null where a client may not have WS-Federation: as with SAML, an application of the operator's own needs no add-on, and
 * a third party has it only where an operator gave it one (threat-model.md WF1).
 */
export const wsfedOf = ({ settings }: Client): WsFedSettings | null =>
  settings.addons.wsfed ?? (settings.is_first_party ? DEFAULTS : null)
