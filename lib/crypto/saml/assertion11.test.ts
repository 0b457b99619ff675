import { describe, expect, it } from 'vitest'
import { type Assertion11, writeAssertion11 } from './assertion11'
import { parseXml } from './parse'

const MARKUP = `</saml:Subject><evil a="1">&amp;'`

const sample = (over: Partial<Assertion11> = {}): Assertion11 => ({
  id: '_1',
  issuer: 'urn:id.test',
  audience: 'urn:portal',
  nameId: { value: 'auth0|1', format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified' },
  issuedAt: new Date('2026-01-01T00:00:00Z'),
  expiresAt: new Date('2026-01-01T08:00:00Z'),
  authenticatedAt: new Date('2025-12-31T23:00:00Z'),
  authenticationMethod: 'urn:oasis:names:tc:SAML:1.0:am:password',
  attributes: [],
  ...over,
})

const named = (assertion: Assertion11, name: string) =>
  Array.from(parseXml(writeAssertion11(assertion)).getElementsByTagName(`saml:${name}`))

describe('attributes', () => {
  it.each([
    ['http://schemas.test/claims/name', 'http://schemas.test/claims', 'name'],
    ['name', '', 'name'],
    ['http://schemas.test/', 'http://schemas.test', ''],
    ['/name', '', 'name'],
    [MARKUP, '<', `saml:Subject><evil a="1">&amp;'`],
  ])('of %j are split at the last slash', (name, namespace, rest) => {
    const [attribute] = named(sample({ attributes: [{ name, format: null, values: ['x'] }] }), 'Attribute')
    expect([attribute?.getAttribute('AttributeNamespace'), attribute?.getAttribute('AttributeName')]).toEqual([
      namespace,
      rest,
    ])
  })

  it('have a value for each, whatever it is', () => {
    const values = [MARKUP, true, 3, 'a\0b\rc']
    const written = named(sample({ attributes: [{ name: 'n', format: null, values }] }), 'AttributeValue')
    expect(written.map(({ textContent }) => textContent)).toEqual([MARKUP, 'true', '3', 'ab\rc'])
  })

  it('have no empty statement, which would be invalid', () => {
    expect(named(sample(), 'AttributeStatement')).toHaveLength(0)
    expect(named(sample(), 'NameIdentifier')).toHaveLength(1)
  })
})

it('takes a subject, an audience and an issuer as text', () => {
  const assertion = sample({ issuer: MARKUP, audience: MARKUP, nameId: { value: MARKUP, format: MARKUP } })
  expect(parseXml(writeAssertion11(assertion)).getAttribute('Issuer')).toBe(MARKUP)
  expect(named(assertion, 'Audience')[0]?.textContent).toBe(MARKUP)
  expect(named(assertion, 'NameIdentifier')[0]?.textContent).toBe(MARKUP)
})
