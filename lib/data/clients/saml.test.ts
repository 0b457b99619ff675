// The vendor's SAML add-on as exported, and likely mistakes of operators in it.
import { beforeAll, describe, expect, it } from 'vitest'
import { split } from '../../kernel/schema'
import { makePartner, type Partner } from '../../testing/saml'
import { sampleClient } from '../../testing/samples'
import { clientSettings } from './client'
import { samlOf, samlSettings } from './saml'

let partner: Partner
beforeAll(async () => {
  partner = await makePartner()
})

/** Every field of the vendor's documentation, with the values of its example. */
const exported = () => ({
  audience: 'urn:foo',
  recipient: 'http://foo',
  issuer: 'urn:tenant',
  mappings: { user_id: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier', email: ['a', 'b'] },
  createUpnClaim: true,
  passthroughClaimsWithNoMapping: true,
  mapUnknownClaimsAsIs: false,
  mapIdentities: true,
  signatureAlgorithm: 'rsa-sha1',
  digestAlgorithm: 'sha1',
  destination: 'http://foo',
  lifetimeInSeconds: 3600,
  signResponse: false,
  typedAttributes: true,
  includeAttributeNameFormat: true,
  nameIdentifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  nameIdentifierProbes: ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier'],
  authnContextClassRef: 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
  logout: { callback: 'http://foo/logout', slo_enabled: true },
  binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  signingCert: partner.certificatePem,
})

it('takes every field that the vendor documents', () => {
  const { known, unknown } = split(clientSettings, { addons: { samlp: exported() } }, '')
  expect(unknown).toEqual([])
  expect(clientSettings.parse(known).addons.samlp).toEqual(exported())
})

it('has the defaults that the vendor documents, but for SHA-256', () => {
  expect(samlSettings.parse({})).toMatchObject({
    createUpnClaim: true,
    passthroughClaimsWithNoMapping: true,
    mapUnknownClaimsAsIs: false,
    mapIdentities: true,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
    lifetimeInSeconds: 3600,
    signResponse: false,
    typedAttributes: true,
    includeAttributeNameFormat: true,
    nameIdentifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    logout: { slo_enabled: true },
    binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  })
})

it.each(['in one line', 'with line ends as two characters', 'without armour'])('takes a certificate %s', (form) => {
  const signingCert = {
    'in one line': partner.certificatePem.replaceAll('\n', ' '),
    'with line ends as two characters': partner.certificatePem.replaceAll('\n', '\\n'),
  }[form]
  expect(samlSettings.safeParse({ signingCert: signingCert ?? partner.certificate }).success).toBe(true)
})

describe('refused settings', () => {
  it.each([
    { signingCert: 'no certificate' },
    { encryptionCert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    { signatureAlgorithm: 'hmac-sha256' },
    { digestAlgorithm: 'md5' },
    { lifetimeInSeconds: 0 },
    { lifetimeInSeconds: 1e9 },
    { logout: { callback: 'javascript:alert(1)' } },
    { binding: 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP' },
  ])('the SAML settings refuse %j', (settings) => {
    expect(samlSettings.safeParse(settings).success).toBe(false)
  })
})

it('is there for applications of the operator, and for others where they were given it', () => {
  expect(samlOf(sampleClient())).toEqual(samlSettings.parse({}))
  expect(samlOf(sampleClient({ is_first_party: false }))).toBeNull()
  expect(samlOf(sampleClient({ is_first_party: false, addons: { samlp: {} } }))).not.toBeNull()
})
