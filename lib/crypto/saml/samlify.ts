// The only importer of samlify (docs/adr/0015), which encrypts an assertion for its service provider: AES-256-GCM under
// RSA-OAEP. Its own checks are not relied on: untrusted XML goes through xml.ts and verify.ts. The library is loaded on demand,
// because most processes never encrypt.

const CONTENT = 'http://www.w3.org/2009/xmlenc11#aes256-gcm'
const KEY = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'

const load = once(async () => {
  const [{ default: samlify }, { parseXml }, { OPERATOR }] = await Promise.all([
    import('samlify'),
    import('./parse'),
    import('./limits'),
  ])
  // samlify refuses to parse without a schema validator.
  samlify.setSchemaValidator({
    async validate(xml: string) {
      parseXml(xml, OPERATOR)
      return 'well-formed'
    },
  })
  const nowhere = [{ Binding: samlify.Constants.BindingNamespace.Post, Location: 'https://writer.invalid' }]
  const { entitySetting, entityMeta } = samlify.IdentityProvider({
    entityID: 'writer',
    isAssertionEncrypted: true,
    singleSignOnService: nowhere,
    singleLogoutService: nowhere,
  })
  const algorithms = { dataEncryptionAlgorithm: CONTENT, keyEncryptionAlgorithm: KEY }
  return { samlify, writer: { entitySetting: { ...entitySetting, ...algorithms }, entityMeta } }
})

/** Encrypts the assertion of the response to the key of `certificate`, base64 of its DER. */
export async function encryptAssertion(response: string, certificate: string): Promise<string> {
  const { samlify, writer } = await load()
  const reader = samlify.ServiceProvider({ entityID: 'reader', encryptCert: certificate })
  return Buffer.from(await samlify.SamlLib.encryptAssertion(writer, reader, response), 'base64').toString()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
