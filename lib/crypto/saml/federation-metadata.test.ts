import { beforeAll, describe, expect, it } from 'vitest'
import { makePartner, type Partner } from '../../testing/saml'
import { ADFS_IDP, federationMetadataOf } from '../../testing/wsfed-idp'
import { readFederationMetadata } from './federation-metadata'

let one: Partner
let two: Partner
let good: string
beforeAll(async () => {
  ;[one, two] = [await makePartner(), await makePartner()]
  good = federationMetadataOf(one, two)
})

describe('federation metadata', () => {
  it('contains the provider’s entity id, its endpoint, and every signing key', () => {
    expect(readFederationMetadata(good)).toEqual({
      entityId: ADFS_IDP,
      certificates: [one.certificate, two.certificate],
      passive: 'https://adfs.test/adfs/ls/',
      validUntil: null,
    })
  })

  it('is read inside a collection, with its end, and without an address that a browser can be sent to', () => {
    const inside = good.slice(good.indexOf('<EntityDescriptor'))
    const xml = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="2030-01-01T00:00:00Z">${inside}</EntitiesDescriptor>`
    expect(readFederationMetadata(xml)).toMatchObject({ entityId: ADFS_IDP, validUntil: new Date('2030-01-01') })
    expect(readFederationMetadata(good.replace('https://adfs.test/adfs/ls/', 'javascript:1')).passive).toBeNull()
  })

  it('keys of another role and broken certificates are left out', () => {
    const swapped = good
      .replace('<KeyDescriptor use="encryption"/>', '')
      .replaceAll('use="signing"', 'use="encryption"')
    expect(readFederationMetadata(swapped).certificates).toEqual([])
    expect(readFederationMetadata(good.replace(one.certificate, 'AAAA')).certificates).toEqual([two.certificate])
  })

  it.each<[string, (xml: string) => string]>([
    ['no token service', (xml) => xml.replace('SecurityTokenServiceType', 'AttributeServiceType')],
    ['the name of the type in another namespace', (xml) => xml.replaceAll('XMLSchema-instance', 'elsewhere')],
    ['a DTD', (xml) => xml.replace('<EntityDescriptor', '<!DOCTYPE x><EntityDescriptor')],
    ['two providers', (xml) => `<a>${xml.slice(21)}${xml.slice(21)}</a>`],
    ['no XML', () => 'hello'],
  ])('is refused: %s', (_, bend) => {
    expect(bend(good)).not.toBe(good)
    expect(() => readFederationMetadata(bend(good))).toThrow(/Invalid/)
  })
})
