// The metadata of a SAML connection for its identity provider (SAML Metadata 2.4.4): our entity id, the response endpoints, the
// current and next signing certificates, and the encryption certificate. The schema requires this order of elements.
import type { Keyring } from '../../../crypto/keys/keyring'
import { BINDING, NAME_ID, NS } from '../../../crypto/saml/names'
import { element, type Xml } from '../../../crypto/saml/write'
import type { Connection, SamlConnection } from '../connection'
import { audienceOf, consumerUrls } from './saml-provider'

/** The endpoint for a provider's responses to our LogoutRequests, and for its own LogoutRequests. */
export const LOGGED_OUT_PATH = '/logout/callback'

export const singleLogoutUrl = ({ name }: Pick<Connection, 'name'>, { baseUrl }: { baseUrl: string }): string =>
  `${baseUrl}${LOGGED_OUT_PATH}?${new URLSearchParams({ connection: name })}`

type Deps = { baseUrl: string; entityId: string; keyring: Pick<Keyring, 'current' | 'certificates'> }

export function writeSpMetadata(connection: SamlConnection, deps: Deps): string {
  const { keyring } = deps
  const attributes = {
    protocolSupportEnumeration: NS.protocol,
    AuthnRequestsSigned: String(connection.settings.options.signSAMLRequest !== false),
    WantAssertionsSigned: 'true',
  }
  const described = element(
    'SPSSODescriptor',
    attributes,
    ...keyring.certificates.map((certificate) => keyElement('signing', certificate)),
    keyElement('encryption', keyring.current.certificate),
    ...[BINDING.redirect, BINDING.post].map((binding) =>
      element('SingleLogoutService', { Binding: binding, Location: singleLogoutUrl(connection, deps) }),
    ),
    ...[NAME_ID.persistent, NAME_ID.email, NAME_ID.unspecified].map((format) => element('NameIDFormat', {}, format)),
    element('AssertionConsumerService', {
      Binding: BINDING.post,
      Location: consumerUrls(connection, deps)[0],
      index: '0',
      isDefault: 'true',
    }),
  )
  const entityID = audienceOf(connection, deps)
  return element('EntityDescriptor', { xmlns: NS.metadata, entityID }, described).xml
}

function keyElement(use: 'signing' | 'encryption', certificate: string): Xml {
  const data = element('X509Data', {}, element('X509Certificate', {}, certificate))
  return element('KeyDescriptor', { use }, element('KeyInfo', { xmlns: NS.signature }, data))
}
