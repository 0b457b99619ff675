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
  enabled: z.boolean().default(false),
  client_id: z.string().max(256).optional(),
  client_protocol: z.enum(['oidc', 'oauth2', 'samlp', 'wsfed']).default('oidc'),
  client_authorizequery: z.string().max(2000).default(''),
})

export const samlOptions = z.object({
  ...upstreamOptions,
  signInEndpoint: webUrl.optional(),
  signOutEndpoint: webUrl.optional(),
  /** PEM, base64 of PEM or base64 of DER; several during a key rollover of the provider. */
  signingCert: z
    .string()
    .max(100_000)
    .refine((text) => certificatesOf(text).length > 0, {
      error: orPath('must be a certificate with a key that is RSA or of an elliptic curve'),
    })
    .optional(),
  metadataXml: z.string().max(200_000).optional(),
  metadataUrl: webUrl.optional(),
  /** Our entity id at the provider; `urn:<host>:<connection>` by default. */
  entityId: z.string().min(1).max(1024).optional(),
  /** Ours: the provider's entity id, if there is no metadata. */
  idpEntityId: z.string().min(1).max(1024).optional(),
  signSAMLRequest: z.boolean().optional(),
  protocolBinding: z.enum([BINDING.redirect, BINDING.post]).optional(),
  signatureAlgorithm: z.enum(['rsa-sha1', 'rsa-sha256', 'rsa-sha512']).optional(),
  digestAlgorithm: z.enum(['sha1', 'sha256', 'sha512']).optional(),
  /** Claim → its attribute, or several, of which the first present one is used. */
  fieldsMap: z
    .record(z.string().max(100), z.union([z.string().max(1024), z.array(z.string().max(1024)).max(20)]))
    .optional(),
  /** Ours: the end of the person's session at the provider also ends refresh tokens with `offline_access`. */
  end_refresh_tokens_with_session: z.boolean().optional(),
  /** The attribute with the user's id, before those of `fieldsMap.user_id`. */
  user_id_attribute: z.string().min(1).max(2396).optional(),
  idpinitiated: idpInitiated.optional(),
})

/** The vendor's strategy name; also the provider part of subjects. */
export const SAMLP = 'samlp'
