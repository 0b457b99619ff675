// The application's side of SAML 2.0 and WS-Federation in a signed-in browser: a request, and the token that is posted back.
// For Latchkey only; the peer supports neither.
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { DOMParser } from '@xmldom/xmldom'
import { SignedXml } from 'xml-crypto'
import { readHidden } from './browser.mjs'
import { expectStatus } from './http.mjs'

export const SAML_ID = 'bench-saml'
export const WSFED_ID = 'bench-wsfed'
export const FEDERATED_CALLBACK = 'https://federated.bench.test/callback'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** The certificate that verifies requests. */
export const samlPublicKey = publicKey
const samlKey = createPrivateKey(privateKey)

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/** The redirect binding, signed (SAML Bindings 3.4.4.1). */
function authnRequest({ origin }) {
  const id = `_${randomBytes(16).toString('hex')}`
  const at = new Date().toISOString()
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at}" Destination="${origin}/samlp/${SAML_ID}" AssertionConsumerServiceURL="${FEDERATED_CALLBACK}"><saml:Issuer>${SAML_ID}</saml:Issuer></samlp:AuthnRequest>`
  const query = [
    ['SAMLRequest', deflateRawSync(xml).toString('base64')],
    ['RelayState', id],
    ['SigAlg', RSA_SHA256],
  ]
  const signed = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const signature = sign('sha256', Buffer.from(signed), samlKey).toString('base64')
  return { id, path: `/samlp/${SAML_ID}?${signed}&Signature=${encodeURIComponent(signature)}` }
}

function postedFields({ page }, what) {
  if (!page) throw new Error(`${what}: sent elsewhere instead of a form`)
  return readHidden(expectStatus(page, 200, what).text)
}

/** The response to this request. */
export async function signInBySaml(side, browser) {
  const { id, path } = authnRequest(side)
  const { SAMLResponse = '', RelayState } = postedFields(await browser.open(path), 'SAML')
  const xml = Buffer.from(SAMLResponse, 'base64').toString()
  if (RelayState === id && xml.includes(`InResponseTo="${id}"`) && xml.includes('<saml:Assertion ')) return xml
  throw new Error(`no assertion for ${id} in ${xml.slice(0, 300)}`)
}

/** The response with a SAML 1.1 token. */
export async function signInByWsFed(browser) {
  const wctx = randomBytes(16).toString('hex')
  const query = new URLSearchParams({ wa: 'wsignin1.0', wtrealm: `urn:${WSFED_ID}`, wctx })
  const fields = postedFields(await browser.open(`/wsfed?${query}`), 'WS-Federation')
  const { wresult = '' } = fields
  if (fields.wctx === wctx && wresult.includes('<saml:Assertion ')) return wresult
  throw new Error(`no token for ${wctx} in ${wresult.slice(0, 300)}`)
}

/** Checks that the assertion is signed with the published key, since a response without a signature would be cheaper. */
export async function checkSigned(http, xml) {
  const pem = expectStatus(await http.send({ path: '/pem' }), 200, 'certificate').text
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
  const signature = new DOMParser()
    .parseFromString(assertion, 'text/xml')
    .getElementsByTagNameNS('http://www.w3.org/2000/09/xmldsig#', 'Signature')[0]
  const verifier = new SignedXml({ publicCert: pem, idAttribute: 'AssertionID' })
  verifier.loadSignature(signature)
  if (!verifier.checkSignature(assertion)) throw new Error(`the signature of the assertion does not hold: ${xml}`)
}
