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
  issuer: name.optional().meta({
    title: 'Entity ID of this server',
    help: 'If empty: urn: and its host.',
    group: 'saml',
    rare: true,
    order: 204,
  }),
  audience: name.optional().meta({
    title: 'Audience',
    help: 'Who an assertion is for. If empty: the issuer of the request.',
    group: 'saml',
    order: 201,
  }),
  recipient: name.optional().meta({
    title: 'Recipient',
    help: 'The address that may receive an assertion. If empty: the address that it is sent to.',
    group: 'saml',
    order: 202,
  }),
  destination: name.optional().meta({
    title: 'Destination',
    help: 'The destination that a response names. If empty: the address that it is sent to.',
    group: 'saml',
    rare: true,
    order: 203,
  }),
  mappings: z
    .record(z.string().max(256), z.union([name, z.array(name).max(20)]))
    .default(DEFAULT_MAPPINGS)
    .meta({
      title: 'Attributes by claim',
      help: 'A claim of the profile, and the attribute that has it; several, one per line.',
      group: 'saml_attributes',
      order: 220,
    }),
  createUpnClaim: z.boolean().default(true).meta({ title: 'UPN attribute', group: 'saml_attributes', order: 221 }),
  passthroughClaimsWithNoMapping: z.boolean().default(true).meta({
    title: 'Attributes without a mapping',
    help: 'They are included too.',
    group: 'saml_attributes',
    order: 222,
  }),
  mapUnknownClaimsAsIs: z.boolean().default(false).meta({
    title: 'Keep their names',
    help: 'Attributes without a mapping get no prefix.',
    group: 'saml_attributes',
    order: 223,
  }),
  mapIdentities: z
    .boolean()
    .default(true)
    .meta({ title: 'Connection and provider as attributes', group: 'saml_attributes', rare: true, order: 224 }),
  typedAttributes: z
    .boolean()
    .default(true)
    .meta({ title: 'Types of attribute values', group: 'saml_attributes', rare: true, order: 225 }),
  includeAttributeNameFormat: z
    .boolean()
    .default(true)
    .meta({ title: 'Formats of attribute names', group: 'saml_attributes', rare: true, order: 226 }),
  signatureAlgorithm: z
    .enum(['rsa-sha1', 'rsa-sha256', 'rsa-sha512'])
    .default('rsa-sha256')
    .meta({
      title: 'Signature algorithm',
      group: 'saml_signatures',
      order: 230,
      options: {
        'rsa-sha256': 'RSA with SHA-256',
        'rsa-sha512': 'RSA with SHA-512',
        'rsa-sha1': 'RSA with SHA-1, which is broken',
      },
    }),
  digestAlgorithm: z
    .enum(['sha1', 'sha256', 'sha512'])
    .default('sha256')
    .meta({
      title: 'Digest algorithm',
      group: 'saml_signatures',
      order: 231,
      options: { sha256: 'SHA-256', sha512: 'SHA-512', sha1: 'SHA-1, which is broken' },
    }),
  lifetimeInSeconds: z
    .number()
    .int()
    .positive()
    .max(DAY)
    .default(3600)
    .meta({ title: 'Lifetime of assertions', group: 'saml', order: 207, unit: 'seconds' }),
  /** Signs the response instead of the assertion. */
  signResponse: z
    .boolean()
    .default(false)
    .meta({ title: 'Sign the response', help: 'In place of the assertion.', group: 'saml_signatures', order: 232 }),
  /** Ours: with `signResponse`, signs both. */
  signAssertion: z.boolean().optional().meta({
    title: 'Sign the assertion too',
    help: 'Where the response is signed.',
    group: 'saml_signatures',
    order: 233,
  }),
  nameIdentifierFormat: name
    .default(NAME_ID.unspecified)
    .meta({ title: 'Format of the name ID', group: 'saml', order: 205 }),
  nameIdentifierProbes: z
    .array(name)
    .max(20)
    .default(PROBES)
    .meta({ title: 'Name ID', help: 'The first of these attributes that the user has.', group: 'saml', order: 206 }),
  /** Ours: asserts unverified e-mail addresses too, as the vendor does. */
  includeUnverifiedEmail: z.boolean().optional().meta({
    title: 'Unverified e-mail addresses',
    help: 'They are asserted too. The application must not take them as proof.',
    group: 'saml_attributes',
    order: 227,
  }),
  authnContextClassRef: name.default(UNSPECIFIED_CONTEXT).meta({
    title: 'Authentication context',
    help: 'What an assertion says of how the user signed in.',
    group: 'saml',
    rare: true,
    order: 208,
  }),
  logout: z
    .object({
      /** The application's single logout service. */
      callback: webUrl.optional().meta({
        title: 'Logout service of the application',
        help: 'Its address for logout messages.',
        group: 'saml_logout',
        order: 240,
      }),
      /** Whether it is notified when a session ends elsewhere. */
      slo_enabled: z.boolean().default(true).meta({
        title: 'Report logouts',
        help: 'The application is notified when the session ends elsewhere.',
        group: 'saml_logout',
        order: 241,
      }),
    })
    .prefault({}),
  /** The binding of logout messages to the application. */
  binding: z
    .enum([BINDING.post, BINDING.redirect])
    .default(BINDING.post)
    .meta({
      title: 'Binding of logout messages',
      group: 'saml_logout',
      rare: true,
      order: 242,
      options: { [BINDING.post]: 'POST', [BINDING.redirect]: 'Redirect' },
    }),
  /** If set, requests must be signed with its key. */
  signingCert: z
    .string()
    .max(10_000)
    .refine((value) => publicKeyOf(value) !== null, {
      error: orPath('must be the PEM of a certificate or public key, RSA or of an elliptic curve'),
    })
    .optional()
    .meta({
      title: 'Certificate of its requests',
      help: 'PEM. If set, requests must be signed with its key.',
      group: 'saml_signatures',
      order: 234,
      multiline: true,
    }),
  /** Ours: if set, assertions are encrypted to its key. */
  encryptionCert: z
    .string()
    .max(10_000)
    .refine((value) => certificateOf(value) !== null, {
      error: orPath('must be the PEM of a certificate with an RSA key'),
    })
    .optional()
    .meta({
      title: 'Certificate for encryption',
      help: 'PEM. If set, assertions are encrypted to its key.',
      group: 'saml_signatures',
      order: 235,
      multiline: true,
    }),
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
