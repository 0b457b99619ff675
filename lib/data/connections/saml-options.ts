// The options of a SAML connection, under the vendor's names where it has one. The provider's metadata or the connection defines
// the endpoints and certificates; the connection takes precedence.
import * as z from 'zod'
import { certificatesOf } from '../../crypto/saml/certificate'
import { BINDING } from '../../crypto/saml/names'
import { webUrl } from '../../kernel/address'
import { orPath } from '../../kernel/file-path'
import { upstreamOptions } from './federated-options'

const idpInitiated = z.object({
  /**
   * Off by default: an attacker who can make the provider post a response can choose which user is signed in (threat-model.md
   * SP6).
   */
  enabled: z.boolean().default(false).meta({
    title: 'Logins that begin at the provider',
    help: 'Anyone who can make the provider send an answer chooses who is signed in: turn it on only if you need it.',
    group: 'idp',
    order: 291,
  }),
  client_id: z.string().max(256).optional().meta({
    title: 'Application',
    help: 'Where such a login leads.',
    unset: 'the one that the parameters name, if any',
    picker: 'applications',
    group: 'idp',
    order: 292,
  }),
  client_protocol: z
    .enum(['oidc', 'oauth2', 'samlp', 'wsfed'])
    .default('oidc')
    .meta({
      title: 'Protocol of the application',
      options: { oidc: 'OpenID Connect', oauth2: 'OAuth 2.0', samlp: 'SAML', wsfed: 'WS-Federation' },
      group: 'idp',
      order: 293,
    }),
  client_authorizequery: z.string().max(2000).default('').meta({
    title: 'Parameters',
    help: 'Of the login at the application: redirect_uri=…&scope=….',
    group: 'idp',
    order: 294,
  }),
})

/** Of our signatures for a provider, where the connection names none. */
export const SIGNATURE_ALGORITHM = 'rsa-sha256'
export const DIGEST_ALGORITHM = 'sha256'

export const samlOptions = z.object({
  ...upstreamOptions,
  signInEndpoint: webUrl.optional().meta({
    title: 'Sign-in address',
    unset: 'that of the metadata',
    help: 'Single sign-on of the provider.',
    format: 'address',
    group: 'identity',
    order: 211,
  }),
  signOutEndpoint: webUrl
    .optional()
    .meta({ title: 'Sign-out address', format: 'address', group: 'identity', order: 212 }),
  /** PEM, base64 of PEM or base64 of DER; several during a key rollover of the provider. */
  signingCert: z
    .string()
    .max(100_000)
    .refine((text) => certificatesOf(text).length > 0, {
      error: orPath('must be a certificate with a key that is RSA or of an elliptic curve'),
    })
    .optional()
    .meta({
      unset: 'those of the metadata',
      title: 'Certificates of the provider',
      help: 'PEM; several while the provider changes its key.',
      multiline: true,
      format: 'certificate',
      group: 'identity',
      order: 213,
    }),
  metadataXml: z.string().max(200_000).optional().meta({
    title: 'Metadata of the provider',
    help: 'XML. What it says need not be entered below; what is entered below goes first.',
    multiline: true,
    format: 'metadata',
    group: 'identity',
    order: 209,
  }),
  metadataUrl: webUrl.optional().meta({
    title: 'Address of the metadata',
    help: 'Read again from time to time.',
    format: 'address',
    group: 'identity',
    order: 210,
  }),
  /** Our entity id at the provider; `urn:<host>:<connection>` by default. */
  entityId: z.string().min(1).max(1024).optional().meta({
    title: 'Our entity ID',
    help: 'Empty: urn, the host and the name of the connection.',
    group: 'identity',
    order: 215,
  }),
  /** Ours: the provider's entity id, if there is no metadata. */
  idpEntityId: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ title: 'Entity ID of the provider', help: 'Where there is no metadata.', group: 'identity', order: 214 }),
  signSAMLRequest: z.boolean().optional().meta({ title: 'Sign requests', group: 'requests', order: 241 }),
  protocolBinding: z
    .enum([BINDING.redirect, BINDING.post])
    .optional()
    .meta({
      title: 'Requests are sent by',
      unset: 'redirect, or a form where the metadata has nothing else',
      options: { [BINDING.redirect]: 'Redirect', [BINDING.post]: 'Form (POST)' },
      group: 'requests',
      order: 242,
    }),
  signatureAlgorithm: z
    .enum(['rsa-sha1', 'rsa-sha256', 'rsa-sha512'])
    .optional()
    .meta({
      title: 'Algorithm of signatures',
      standard: SIGNATURE_ALGORITHM,
      options: { 'rsa-sha256': 'RSA with SHA-256', 'rsa-sha512': 'RSA with SHA-512', 'rsa-sha1': 'RSA with SHA-1' },
      group: 'requests',
      order: 243,
    }),
  digestAlgorithm: z
    .enum(['sha1', 'sha256', 'sha512'])
    .optional()
    .meta({
      title: 'Digest',
      standard: DIGEST_ALGORITHM,
      options: { sha256: 'SHA-256', sha512: 'SHA-512', sha1: 'SHA-1' },
      group: 'requests',
      order: 244,
    }),
  /** Claim → its attribute, or several, of which the first present one is used. */
  fieldsMap: z
    .record(z.string().max(100), z.union([z.string().max(1024), z.array(z.string().max(1024)).max(20)]))
    .optional()
    .meta({
      title: 'Claims by attribute',
      help: 'A claim, and its attribute. Of several, one per line, the first that is there is used.',
      group: 'claims',
      order: 276,
    }),
  /** Ours: the end of the person's session at the provider also ends refresh tokens with `offline_access`. */
  end_refresh_tokens_with_session: z.boolean().optional().meta({
    title: "The end of the provider's session ends refresh tokens",
    help: 'Also those with offline_access.',
    group: 'claims',
    order: 278,
  }),
  /** The attribute with the user's id, before those of `fieldsMap.user_id`. */
  user_id_attribute: z
    .string()
    .min(1)
    .max(2396)
    .optional()
    .meta({ title: 'Attribute of the ID', help: 'Before those of the map.', group: 'claims', order: 275 }),
  idpinitiated: idpInitiated.optional(),
})

/** The vendor's strategy name; also the provider part of subjects. */
export const SAMLP = 'samlp'
