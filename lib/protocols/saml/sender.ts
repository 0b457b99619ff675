// Sends SAML messages: issuer, algorithms and binding (SAML Bindings 3.4, 3.5).

import type { Keyring } from '../../crypto/keys/keyring'
import type { SignatureHash } from '../../crypto/saml/algorithms'
import { BINDING } from '../../crypto/saml/names'
import { type MessageName, signedAddress } from '../../crypto/saml/query-signature'
import { type SigningOptions, signXml } from '../../crypto/saml/sign'
import { encodeForForm } from '../../crypto/saml/transport'
import type { SamlSettings } from '../../data/clients/saml'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { VisitorResponse } from '../../login/visitor-response'

export type SenderDeps = {
  baseUrl: string
  /** The issuer unless the client's settings name another: `urn:<host>`. */
  entityId: string
  keyring: Keyring
  clock: Clock
  random: Random
}

export const ssoUrl = (baseUrl: string, clientId: string): string => `${baseUrl}/samlp/${encodeURIComponent(clientId)}`

export const logoutUrl = (baseUrl: string, clientId: string): string => `${ssoUrl(baseUrl, clientId)}/logout`

export const issuerOf = ({ issuer }: SamlSettings, { entityId }: Pick<SenderDeps, 'entityId'>): string =>
  issuer ?? entityId

/** An xs:ID must not start with a digit. */
export const messageId = (random: Random): string => `_${random.hex(32)}`

const hashOf = ({ signatureAlgorithm }: SamlSettings): SignatureHash =>
  signatureAlgorithm.replace('rsa-', '') as SignatureHash

export const signingOf = (settings: SamlSettings): SigningOptions => ({
  signature: hashOf(settings),
  digest: settings.digestAlgorithm,
})

export type SamlOutgoing = { name: MessageName; xml: string; relayState: string | null }

/** `to` must be a proven address. */
export const postMessage = (to: string, { name, xml, relayState }: SamlOutgoing): VisitorResponse => ({
  kind: 'form',
  to,
  fields: { [name]: encodeForForm(xml), ...(relayState === null ? {} : { RelayState: relayState }) },
})

/** Signs the message and sends it by the binding of the client's settings. */
export async function sendSigned(
  to: string,
  message: SamlOutgoing,
  settings: SamlSettings,
  deps: SenderDeps,
): Promise<VisitorResponse> {
  const { current } = deps.keyring
  if (settings.binding === BINDING.redirect) {
    const key = { key: current.privateKey, hash: hashOf(settings) }
    return { kind: 'redirect', to: await signedAddress(to, message, key) }
  }
  return postMessage(to, { ...message, xml: await signXml(message.xml, current, signingOf(settings)) })
}
