// Who an assertion is about, in the forms of the providers that people use (SAML Core 8.3).
import { describe, expect, it } from 'vitest'
import type { VerifiedAssertion } from '../../../crypto/saml/response-checks'
import { sampleConnection } from '../../../testing/samples'
import type { AssertionConnection } from '../connection'
import { identityOf, isNamedByIdentifier } from './saml-claims'

const SOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:'
const FORMAT_20 = 'urn:oasis:names:tc:SAML:2.0:nameid-format:'

const connectionOf = (options: Record<string, unknown> = {}, strategy: 'samlp' | 'adfs' = 'samlp') =>
  sampleConnection<AssertionConnection>(strategy, { options }, 'corp')

const verdictOf = (
  nameId: string | null,
  attributes: Record<string, string[]> = {},
  format: string | null = null,
): VerifiedAssertion => ({
  issuer: 'https://idp.test',
  assertionId: '_1',
  until: new Date('2027-01-15T08:00:00Z'),
  nameId: nameId === null ? null : { value: nameId, format, qualifiers: { name: null, sp: null } },
  sessionIndex: null,
  sessionEnd: null,
  checks: [],
  attributes: new Map(Object.entries(attributes)),
})

const subject = (
  verdict: VerifiedAssertion,
  options: Record<string, unknown> = {},
  strategy: 'samlp' | 'adfs' = 'samlp',
) => identityOf(verdict, connectionOf(options, strategy)).providerUserId

const CLAIMS = [`${SOAP}nameidentifier`, `${SOAP}upn`, `${SOAP}name`]
const SHORT = ['nameidentifier', 'upn', 'name']

describe('the id of a user', () => {
  it.each([
    ['by the names of claims', CLAIMS],
    ['by their short names', SHORT],
  ])('is found by the default map of the vendor, %s', (_, user_id) => {
    const options = { fieldsMap: { user_id } }
    const attributes = { [`${SOAP}name`]: ['Kim'], [`${SOAP}upn`]: ['kim@corp'], name: ['Kim'] }
    for (const strategy of ['samlp', 'adfs'] as const) {
      expect(subject(verdictOf('k-7', attributes), options, strategy)).toBe('corp|k-7')
      expect(subject(verdictOf(null, attributes), options, strategy)).toBe('corp|kim@corp')
      expect(() => subject(verdictOf(null, { [`${SOAP}name`]: ['Kim'], name: ['Kim'] }), options, strategy)).toThrow(
        /none of the names of a person: .*nameidentifier, .*upn/,
      )
    }
  })

  it('is a name only where the tenant wrote nothing else', () => {
    for (const user_id of ['name', [`${SOAP}name`], 'displayName']) {
      const attributes = { [`${SOAP}name`]: ['Kim'], name: ['Kim'], displayName: ['Kim'] }
      expect(subject(verdictOf('k-7', attributes), { fieldsMap: { user_id } })).toBe('corp|Kim')
    }
    const several = { fieldsMap: { user_id: ['displayName', 'uid'] } }
    expect(subject(verdictOf('k-7', { displayName: ['Kim'], uid: ['7'] }), several)).toBe('corp|7')
  })

  it.each<[string, string | null]>([
    ['k-7', null],
    ['k-7', `${FORMAT_20}persistent`],
    ['_b07b804c7c29ea16', `${FORMAT_20}transient`],
    ['kim@mail.test', `${FORMAT}emailAddress`],
    ['kim', `${FORMAT}unspecified`],
    ['kim@CORP.TEST', `${FORMAT_20}kerberos`],
    ['CN=Kim Doe,OU=People,O=Corp,C=DE', `${FORMAT}X509SubjectName`],
    [String.raw`CORP\kim`, `${FORMAT}WindowsDomainQualifiedName`],
    ['https://corp.test/kim', `${FORMAT_20}entity`],
    ['x'.repeat(256), `${FORMAT_20}persistent`],
  ])('is the name identifier without a map: %s of %s', (value, format) => {
    expect(subject(verdictOf(value, { [`${SOAP}upn`]: ['other'] }, format))).toBe(`corp|${value}`)
  })

  it('is an attribute of an assertion without a name identifier', () => {
    expect(subject(verdictOf(null, { [`${SOAP}upn`]: ['kim@corp'] }))).toBe('corp|kim@corp')
    expect(subject(verdictOf(null, { [`${SOAP}nameidentifier`]: ['k-7'] }))).toBe('corp|k-7')
    expect(
      subject(verdictOf(null, { 'urn:oid:0.9.2342.19200300.100.1.1': ['kim'] }), {
        fieldsMap: { user_id: 'urn:oid:0.9.2342.19200300.100.1.1' },
      }),
    ).toBe('corp|kim')
  })

  it('is the attribute that the connection names first', () => {
    const options = { user_id_attribute: 'employeeNumber' }
    for (const strategy of ['samlp', 'adfs'] as const) {
      expect(subject(verdictOf('k-7', { employeeNumber: ['12'] }), options, strategy)).toBe('corp|12')
      expect(() => subject(verdictOf('k-7'), options, strategy)).toThrow(/employeeNumber/)
    }
    const both = { ...options, fieldsMap: { user_id: 'nameidentifier' } }
    expect(subject(verdictOf('k-7', { employeeNumber: ['12'] }), both)).toBe('corp|12')
    expect(subject(verdictOf('k-7'), both)).toBe('corp|k-7')
  })

  it.each<[string, VerifiedAssertion]>([
    ['has nothing', verdictOf(null)],
    ['has an empty name', verdictOf('')],
    ['has a name alone', verdictOf(null, { [`${SOAP}name`]: ['Kim'] })],
    ['has an address alone', verdictOf(null, { [`${SOAP}emailaddress`]: ['kim@mail.test'] })],
    ['is too long', verdictOf('x'.repeat(257))],
    ['has a control character', verdictOf('k\n7')],
  ])('is refused where it %s', (_, verdict) => {
    expect(() => subject(verdict)).toThrow(/name/)
  })

  it('is what a LogoutRequest names only where that is the name identifier', () => {
    const named = (options: Record<string, unknown>) => isNamedByIdentifier(connectionOf(options))
    expect(named({})).toBe(true)
    expect(named({ fieldsMap: { user_id: CLAIMS } })).toBe(true)
    expect(named({ fieldsMap: { user_id: SHORT } })).toBe(true)
    expect(named({ fieldsMap: { user_id: ['upn', 'nameidentifier'] } })).toBe(false)
    expect(named({ user_id_attribute: 'employeeNumber' })).toBe(false)
  })
})

describe('the address of a user', () => {
  const emailOf = (verdict: VerifiedAssertion, options: Record<string, unknown> = {}) =>
    identityOf(verdict, connectionOf(options)).profile

  it('is the name identifier where that is its format, as Google sends it, and no attribute has one', () => {
    for (const format of [`${FORMAT}emailAddress`, `${FORMAT_20}emailAddress`, `${FORMAT}emailaddress`]) {
      expect(emailOf(verdictOf('kim@mail.test', {}, format))).toMatchObject({
        email: 'kim@mail.test',
        emailVerified: false,
      })
    }
    const attributes = { [`${SOAP}emailaddress`]: ['work@mail.test'] }
    expect(emailOf(verdictOf('kim@mail.test', attributes, `${FORMAT}emailAddress`)).email).toBe('work@mail.test')
    expect(emailOf(verdictOf('kim@mail.test', {}, `${FORMAT}unspecified`)).email).toBeNull()
    const mapped = { fieldsMap: { email: `${SOAP}nameidentifier` } }
    expect(emailOf(verdictOf('kim@mail.test', {}, `${FORMAT}unspecified`), mapped).email).toBe('kim@mail.test')
  })

  it.each(['email', 'mail', 'Email', 'User.Email', 'urn:oid:0.9.2342.19200300.100.1.3', `${SOAP}emailaddress`])(
    'is found as %s',
    (name) => expect(emailOf(verdictOf('k-7', { [name]: ['kim@mail.test'] })).email).toBe('kim@mail.test'),
  )
})
