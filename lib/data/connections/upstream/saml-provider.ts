// A SAML connection's provider: its entity id, endpoints and signing keys, from the connection or the provider's metadata.
import type { KeyObject } from 'node:crypto'
import type { SignatureHash } from '../../../crypto/saml/algorithms'
import { certificatesOf, publicKeyOf } from '../../../crypto/saml/certificate'
import type { BindingName, IdpMetadata } from '../../../crypto/saml/idp-metadata'
import { BINDING } from '../../../crypto/saml/names'
import type { SigningOptions } from '../../../crypto/saml/sign'
import type { AssertionConnection, Connection, SamlConnection } from '../connection'
import { DIGEST_ALGORITHM, SIGNATURE_ALGORITHM } from '../saml-options'
import { metadataOf, notSetUp } from './metadata-document'
import { callbackUrl, type ReadMetadataDeps, type UpstreamDeps } from './upstream'

export type SamlProvider = {
  issuer: string | null
  keys: readonly KeyObject[]
  signIn: { address: string; binding: BindingName }
  /** The endpoint of our LogoutRequests, with the redirect binding. */
  signOut: string | null
  /** The endpoint of our responses to the provider's LogoutRequests. */
  signOutAnswer: { address: string; binding: BindingName } | null
}

type Names = Pick<Connection, 'name'>

type Options = SamlConnection['settings']['options']

/** Our entity id for this provider. */
export const audienceOf = ({ name, settings }: AssertionConnection, { entityId }: { entityId: string }): string =>
  settings.options.entityId ?? `${entityId}:${name}`

/** The assertion consumer URLs; requests name the first one. */
export function consumerUrls({ name }: Names, deps: Pick<UpstreamDeps, 'baseUrl'>): [string, string] {
  const callback = callbackUrl(deps)
  return [`${callback}?${new URLSearchParams({ connection: name })}`, callback]
}

export async function samlProviderOf(connection: SamlConnection, deps: ReadMetadataDeps): Promise<SamlProvider> {
  const { options } = connection.settings
  const place = { xml: options.metadataXml, url: options.metadataUrl }
  const metadata = await metadataOf(connection, place, (xml) => deps.readXml('idpMetadata', xml), deps)
  const keys = keysOf(options, metadata)
  const signIn = signInOf(options, metadata)
  if (keys.length === 0 || !signIn) throw notSetUp('the connection names no signingCert or no signInEndpoint')
  return {
    issuer: options.idpEntityId ?? metadata?.entityId ?? null,
    keys,
    signIn,
    signOut: options.signOutEndpoint ?? metadata?.signOut.redirect ?? null,
    signOutAnswer: answerPlace(options, metadata),
  }
}

function answerPlace({ signOutEndpoint }: Options, metadata: IdpMetadata | null): SamlProvider['signOutAnswer'] {
  if (signOutEndpoint !== undefined) return { address: signOutEndpoint, binding: 'redirect' }
  const offered = { ...metadata?.signOut, ...metadata?.signOutAnswers }
  if (offered.redirect) return { address: offered.redirect, binding: 'redirect' }
  return offered.post ? { address: offered.post, binding: 'post' } : null
}

/** The algorithms of our signatures for the provider. */
export const signingOf = ({
  signatureAlgorithm = SIGNATURE_ALGORITHM,
  digestAlgorithm = DIGEST_ALGORITHM,
}: Options): SigningOptions => ({
  signature: signatureAlgorithm.replace('rsa-', '') as SignatureHash,
  digest: digestAlgorithm,
})

/** The connection's certificates take precedence over the metadata. */
export function keysOf(
  { signingCert }: Pick<Options, 'signingCert'>,
  metadata: { certificates: string[] } | null,
): KeyObject[] {
  const own = signingCert === undefined ? [] : certificatesOf(signingCert)
  return (own.length > 0 ? own : (metadata?.certificates ?? [])).map(publicKeyOf).filter((key) => key !== null)
}

function signInOf(
  { signInEndpoint, protocolBinding }: Options,
  metadata: IdpMetadata | null,
): SamlProvider['signIn'] | null {
  const wanted = protocolBinding === BINDING.post ? 'post' : 'redirect'
  if (signInEndpoint !== undefined) return { address: signInEndpoint, binding: wanted }
  const offered = metadata?.signIn ?? {}
  const bindings: BindingName[] = protocolBinding === undefined ? ['redirect', 'post'] : [wanted]
  const binding = bindings.find((name) => offered[name] !== undefined)
  const address = binding && offered[binding]
  return address ? { address, binding } : null
}
