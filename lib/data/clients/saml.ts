// A client's SAML settings: the vendor's SAML add-on (`addons.samlp`), field for field with its defaults, so that an exported
// configuration works unchanged. Two differences: SHA-256 as the default, and three fields of our own.
import * as z from 'zod'
import { certificateOf, publicKeyOf } from '../../crypto/saml/certificate'
import { BINDING, NAME_ID } from '../../crypto/saml/names'
import { problemOfAddress, webUrl } from '../../kernel/address'
import { orPath } from '../../kernel/file-path'
import type { Client } from './client'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** The attribute names of the profile's common fields, unless `mappings` changes them. */
export const DEFAULT_MAPPINGS: Readonly<Record<string, string>> = {
  user_id: `${CLAIMS}/nameidentifier`,
  email: `${CLAIMS}/emailaddress`,
  name: `${CLAIMS}/name`,
  given_name: `${CLAIMS}/givenname`,
  family_name: `${CLAIMS}/surname`,
  upn: `${CLAIMS}/upn`,
  groups: 'http://schemas.xmlsoap.org/claims/Group',
}

const PROBES = [`${CLAIMS}/nameidentifier`, `${CLAIMS}/emailaddress`, `${CLAIMS}/name`]

export const UNSPECIFIED_CONTEXT = 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified'

const DAY = 86400
const name = z.string().min(1).max(1024)

export const samlSettings = z.object({
  issuer: name.optional(),
  audience: name.optional(),
  recipient: name.optional(),
  destination: name.optional(),
  mappings: z.record(z.string().max(256), z.union([name, z.array(name).max(20)])).default(DEFAULT_MAPPINGS),
  createUpnClaim: z.boolean().default(true),
  passthroughClaimsWithNoMapping: z.boolean().default(true),
  mapUnknownClaimsAsIs: z.boolean().default(false),
  mapIdentities: z.boolean().default(true),
  typedAttributes: z.boolean().default(true),
  includeAttributeNameFormat: z.boolean().default(true),
  signatureAlgorithm: z.enum(['rsa-sha1', 'rsa-sha256', 'rsa-sha512']).default('rsa-sha256'),
  digestAlgorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
  lifetimeInSeconds: z.number().int().positive().max(DAY).default(3600),
  /** Signs the response instead of the assertion. */
  signResponse: z.boolean().default(false),
  /** Ours: with `signResponse`, signs both. */
  signAssertion: z.boolean().optional(),
  nameIdentifierFormat: name.default(NAME_ID.unspecified),
  nameIdentifierProbes: z.array(name).max(20).default(PROBES),
  /** Ours: asserts unverified e-mail addresses too, as the vendor does. */
  includeUnverifiedEmail: z.boolean().optional(),
  authnContextClassRef: name.default(UNSPECIFIED_CONTEXT),
  logout: z
    .object({
      /** The application's single logout service. */
      callback: webUrl.optional(),
      /** Whether it is notified when a session ends elsewhere. */
      slo_enabled: z.boolean().default(true),
    })
    .prefault({}),
  /** The binding of logout messages to the application. */
  binding: z.enum([BINDING.post, BINDING.redirect]).default(BINDING.post),
  /** If set, requests must be signed with its key. */
  signingCert: z
    .string()
    .max(10_000)
    .refine((value) => publicKeyOf(value) !== null, {
      error: orPath('must be the PEM of a certificate or public key, RSA or of an elliptic curve'),
    })
    .optional(),
  /** Ours: if set, assertions are encrypted to its key. */
  encryptionCert: z
    .string()
    .max(10_000)
    .refine((value) => certificateOf(value) !== null, {
      error: orPath('must be the PEM of a certificate with an RSA key'),
    })
    .optional(),
})

/** What may be written: an address that can reach an application. Older records may have another. */
const place = name.superRefine((text, context) => {
  const problem = problemOfAddress(text)
  if (problem !== null) context.addIssue(problem)
})
export const writtenSaml = samlSettings.extend({ recipient: place.optional(), destination: place.optional() })

export type SamlSettings = z.output<typeof samlSettings>

const DEFAULTS = samlSettings.parse({})

/**
 * Null if the client may not use SAML. A first-party application needs no add-on to use it. A client that registered itself, and
 * any other third party, may use it only if an operator gave it the add-on (threat-model.md IP2).
 */
export const samlOf = ({ settings }: Client): SamlSettings | null =>
  settings.addons.samlp ?? (settings.is_first_party ? DEFAULTS : null)
