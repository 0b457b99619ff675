// Maps an assertion (SAML or WS-Federation) to an identity. The id is the name identifier, or only what the connection configures
// for it. Other claims are found by `fieldsMap`, or under the names that providers commonly use.
// - The name identifier is offered under its claim name, so that a map may name it, and as an address where that is its format.
import type { VerifiedAssertion } from '../../../crypto/saml/response-checks'
import type { AssertionConnection } from '../connection'
import { SAMLP } from '../saml-options'
import { ADFS, WAAD } from '../wsfed-options'
import { profileOf } from './claims'
import { UpstreamError, type UpstreamIdentity } from './upstream'

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims/'

/** Claim → attributes, of which the first present one is used. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  email: [
    `${XMLSOAP}emailaddress`,
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
    'email',
    'mail',
    'emailAddress',
    'Email',
    'User.Email',
  ],
  name: [
    `${XMLSOAP}name`,
    'urn:oid:2.16.840.1.113730.3.1.241',
    'displayName',
    'name',
    `${MICROSOFT}displayname`,
    'http://schemas.xmlsoap.org/claims/CommonName',
  ],
  given_name: [
    `${XMLSOAP}givenname`,
    'urn:oid:2.5.4.42',
    'givenName',
    'firstName',
    'given_name',
    'FirstName',
    'User.FirstName',
  ],
  family_name: [`${XMLSOAP}surname`, 'urn:oid:2.5.4.4', 'sn', 'lastName', 'family_name', 'LastName', 'User.LastName'],
  nickname: ['http://schemas.auth0.com/nickname', 'nickname'],
  picture: ['http://schemas.auth0.com/picture', 'picture'],
  email_verified: ['http://schemas.auth0.com/email_verified', 'email_verified'],
}

export function identityOf(verdict: VerifiedAssertion, connection: AssertionConnection): UpstreamIdentity {
  const fields = fieldsOf(connection)
  const attributes = offered(verdict)
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => attributes.get(name) ?? attributes.get(XMLSOAP + name) ?? []).at(0)
  const ids = subjectNames(connection)
  const named = first(ids)
  if (named === undefined)
    throw new UpstreamError('unreachable', `the assertion has none of the names of a person: ${ids.join(', ')}`)
  if (!ID.test(named))
    throw new UpstreamError('unreachable', 'the name of the person is too long, or has control characters')
  const places = { ...USUAL, ...fields }
  const claims = Object.fromEntries(Object.entries(places).map(([claim, names]) => [claim, first(names)]))
  return {
    provider: connection.strategy,
    providerUserId: `${connection.name}|${named}`,
    profile: profileOf(claims, { verified: 'never' }, connection.settings.options),
    tokens: null,
    logoutHint: null,
    sessionEnd: verdict.sessionEnd,
  }
}

/** SAML Core 8.3.7 limits a persistent name to 256 characters. */
const ID = /^[^\p{C}]{1,256}$/u

const NAME_IDENTIFIER = `${XMLSOAP}nameidentifier`
const EMAIL_ADDRESS = `${XMLSOAP}emailaddress`

/** The attributes, with the name identifier under its claim name, as the vendor's library offers it. */
function offered({ nameId, attributes }: VerifiedAssertion): ReadonlyMap<string, readonly string[]> {
  if (!nameId || nameId.value === '') return attributes
  const isAddress = /:nameid-format:emailaddress$/i.test(nameId.format ?? '')
  return new Map([
    ...(isAddress ? [[EMAIL_ADDRESS, [nameId.value]] as const] : []),
    ...attributes,
    [NAME_IDENTIFIER, [nameId.value]],
  ])
}

/**
 * Where the id is without a map: the name identifier, or for an assertion without one, which is the default of ADFS, `upn`. Names
 * are not among them, because they are not unique.
 */
const UNMAPPED = [NAME_IDENTIFIER, `${XMLSOAP}upn`]

/**
 * Where the connection says that the id is. A person may choose a name, which several people may have, so a name counts only where
 * the tenant wrote nothing else.
 */
function subjectNames(connection: AssertionConnection): readonly string[] {
  const mapped = [connection.settings.options.fieldsMap?.user_id ?? []].flat().filter((name) => name !== '')
  const id = idAttribute(connection)
  const written = id === undefined ? mapped : [id, ...mapped]
  const unique = written.filter((name) => !NAMES.has(name))
  if (unique.length > 0) return unique
  return written.length > 0 ? written : UNMAPPED
}

const NAMES = new Set(USUAL.name)

/** Whether the name identifier identifies the users of the connection wherever an assertion has one. */
export const isNamedByIdentifier = (connection: AssertionConnection): boolean =>
  [NAME_IDENTIFIER, 'nameidentifier'].includes(subjectNames(connection)[0] ?? '')

/** The connection's attribute with the id. */
function idAttribute({ strategy, settings }: AssertionConnection): string | undefined {
  if (strategy === ADFS || strategy === SAMLP) return settings.options.user_id_attribute
  return strategy === WAAD && settings.options.userid_attribute === 'oid' ? `${MICROSOFT}objectidentifier` : undefined
}

const fieldsOf = ({ settings: { options } }: AssertionConnection): Record<string, string[]> =>
  Object.fromEntries(Object.entries(options.fieldsMap ?? {}).map(([name, from]) => [name, [from].flat()]))
