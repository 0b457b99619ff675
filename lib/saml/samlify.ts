// What samlify does for us, and the only place that imports it (docs/adr/0014): encrypting an assertion for its service
// provider, AES-256-GCM under RSA-OAEP. Its own checks are not relied on: what strangers send passes xml.ts and verify.ts.
import samlify from 'samlify'
import { parseXml } from './xml'

const CONTENT = 'http://www.w3.org/2009/xmlenc11#aes256-gcm'
const KEY = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'

/** It refuses to parse anything until it is told what is well-formed. */
samlify.setSchemaValidator({
  async validate(xml: string) {
    parseXml(xml)
    return 'well-formed'
  },
})

const { entitySetting, entityMeta } = samlify.IdentityProvider({
  entityID: 'writer',
  isAssertionEncrypted: true,
  singleSignOnService: [{ Binding: samlify.Constants.BindingNamespace.Post, Location: 'https://writer.invalid' }],
})
const writer = {
  entitySetting: { ...entitySetting, dataEncryptionAlgorithm: CONTENT, keyEncryptionAlgorithm: KEY },
  entityMeta,
}

/** The response with its assertion encrypted to the key of `certificate`, base64 of its DER. */
export async function encryptAssertion(response: string, certificate: string): Promise<string> {
  const reader = samlify.ServiceProvider({ entityID: 'reader', encryptCert: certificate })
  return Buffer.from(await samlify.SamlLib.encryptAssertion(writer, reader, response), 'base64').toString()
}
