// The calls of `api.samlResponse`: settings of the SAML add-on and attributes, for the response of this login alone. Each value must be
// one that the add-on itself accepts. What the add-on has no setting for does not exist here: keys, and the RelayState.
import { createPublicKey, X509Certificate } from 'node:crypto'
import * as z from 'zod'
import { type SamlSettings, samlSettings } from '../../../data/clients/saml'
import type { Json } from '../../../kernel/json'
import type { Effects, SamlEffects } from '../trigger'
import { isSafeName } from './sanitize'

type SamlMethod = (effects: Effects, args: Json[]) => void

const SETTINGS = {
  setAudience: 'audience',
  setAuthnContextClassRef: 'authnContextClassRef',
  setCreateUpnClaim: 'createUpnClaim',
  setDestination: 'destination',
  setDigestAlgorithm: 'digestAlgorithm',
  setEncryptionCert: 'encryptionCert',
  setIncludeAttributeNameFormat: 'includeAttributeNameFormat',
  setIssuer: 'issuer',
  setLifetimeInSeconds: 'lifetimeInSeconds',
  setMapIdentities: 'mapIdentities',
  setMapUnknownClaimsAsIs: 'mapUnknownClaimsAsIs',
  setNameIdentifierFormat: 'nameIdentifierFormat',
  setNameIdentifierProbes: 'nameIdentifierProbes',
  setPassthroughClaimsWithNoMapping: 'passthroughClaimsWithNoMapping',
  setRecipient: 'recipient',
  setSignatureAlgorithm: 'signatureAlgorithm',
  setSignResponse: 'signResponse',
  setTypedAttributes: 'typedAttributes',
} as const satisfies Record<string, keyof SamlSettings>

const scalar = z.union([z.string().max(10_000), z.number(), z.boolean()])
const attribute = z
  .tuple([
    z.string().min(1).max(1024).refine(isSafeName, 'is no name'),
    z.union([scalar, z.array(scalar).max(200)]).nullish(),
  ])
  .rest(z.unknown())

const change = (effects: Effects, changes: Partial<SamlEffects>): void => {
  effects.saml = { attributes: {}, settings: {}, ...effects.saml, ...changes }
}

const setting =
  (key: keyof SamlSettings): SamlMethod =>
  (effects, [value]) => {
    if (value === undefined) throw new Error('needs a value')
    const settings = { ...effects.saml?.settings, [key]: samlSettings.shape[key].parse(value) }
    change(effects, { settings })
  }

/** Without a value the attribute is omitted, like a claim. */
const setAttribute: SamlMethod = (effects, args) => {
  const [name, value] = attribute.parse(args)
  if (value !== null && value !== undefined)
    change(effects, { attributes: { ...effects.saml?.attributes, [name]: value } })
}

/** The vendor wants the key beside the certificate; here the certificate has it. */
const setEncryptionPublicKey: SamlMethod = (effects, args) => {
  const [pem] = z
    .tuple([z.string().max(10_000)])
    .rest(z.unknown())
    .parse(args)
  const certificate = effects.saml?.settings.encryptionCert
  if (certificate === undefined) throw new Error('comes after setEncryptionCert')
  const key = createPublicKey(pem)
  if (!new X509Certificate(certificate).publicKey.equals(key)) throw new Error('is not the key of the certificate')
}

/** An assertion is always encrypted by this one. */
const setEncryptionAlgorithm: SamlMethod = (_effects, args) => {
  z.tuple([z.literal('aes256-gcm')])
    .rest(z.unknown())
    .parse(args)
}

export const SAML_METHODS: Readonly<Record<string, SamlMethod>> = {
  ...Object.fromEntries(Object.entries(SETTINGS).map(([name, key]) => [`samlResponse.${name}`, setting(key)])),
  'samlResponse.setAttribute': setAttribute,
  'samlResponse.setEncryptionAlgorithm': setEncryptionAlgorithm,
  'samlResponse.setEncryptionPublicKey': setEncryptionPublicKey,
}
