// The options of a SAML connection, in the vendor's names where it has one. Either the provider's metadata says where it is
// and which certificates are its own, or the connection does; what the connection says goes first.
import * as z from 'zod'
import { certificatesOf } from '../saml/certificate'
import { BINDING } from '../saml/names'

const address = z.url({ protocol: /^https?$/ })

const idpInitiated = z.object({
  /** Off unless told: whoever can make the provider post can choose who is signed in (threat-model.md SP6). */
  enabled: z.boolean().default(false),
  client_id: z.string().max(256).optional(),
  client_protocol: z.enum(['oidc', 'oauth2', 'samlp', 'wsfed']).default('oidc'),
  client_authorizequery: z.string().max(2000).default(''),
})

export const samlOptions = {
  signInEndpoint: address.optional(),
  signOutEndpoint: address.optional(),
  /** PEM, base64 of PEM or base64 of DER; several while the provider changes its key. */
  signingCert: z
    .string()
    .max(100_000)
    .refine((text) => certificatesOf(text).length > 0, 'must be a certificate with an RSA key')
    .optional(),
  metadataXml: z.string().max(200_000).optional(),
  metadataUrl: address.optional(),
  /** What we are called there; `urn:<host>:<connection>` unless told. */
  entityId: z.string().min(1).max(1024).optional(),
  /** Ours: what the provider calls itself, where no metadata says it. */
  idpEntityId: z.string().min(1).max(1024).optional(),
  signSAMLRequest: z.boolean().optional(),
  protocolBinding: z.enum([BINDING.redirect, BINDING.post]).optional(),
  signatureAlgorithm: z.enum(['rsa-sha1', 'rsa-sha256', 'rsa-sha512']).optional(),
  digestAlgorithm: z.enum(['sha1', 'sha256', 'sha512']).optional(),
  /** Claim → the attribute that has it, or several of which the first there is counts. */
  fieldsMap: z
    .record(z.string().max(100), z.union([z.string().max(1024), z.array(z.string().max(1024)).max(20)]))
    .optional(),
  idpinitiated: idpInitiated.optional(),
}

/** The strategy name, as the vendor has it; also the provider part of subjects. */
export const SAMLP = 'samlp'
