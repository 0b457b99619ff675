// Maps an assertion (SAML or WS-Federation) to an identity. The id is the name identifier, or only the attribute that the
// connection configures for it. Other claims are found by `fieldsMap`, or under the names that providers commonly use.
import type { Verdict } from '../../saml/checks'
import type { AssertionConnection } from '../connection'
import { ADFS, WAAD } from '../wsfed-options'
import { profileOf } from './claims'
import { UpstreamError, type UpstreamIdentity } from './upstream'

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims/'

/** Claim → attributes, of which the first present one is used. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  email: [`${XMLSOAP}emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3', 'email', 'mail', 'emailAddress'],
  name: [
    `${XMLSOAP}name`,
    'urn:oid:2.16.840.1.113730.3.1.241',
    'displayName',
    'name',
    `${MICROSOFT}displayname`,
    'http://schemas.xmlsoap.org/claims/CommonName',
  ],
  given_name: [`${XMLSOAP}givenname`, 'urn:oid:2.5.4.42', 'givenName', 'firstName', 'given_name'],
  family_name: [`${XMLSOAP}surname`, 'urn:oid:2.5.4.4', 'sn', 'lastName', 'family_name'],
  nickname: ['http://schemas.auth0.com/nickname', 'nickname'],
  picture: ['http://schemas.auth0.com/picture', 'picture'],
  email_verified: ['http://schemas.auth0.com/email_verified', 'email_verified'],
}

export function identityOf({ nameId, attributes }: Verdict, connection: AssertionConnection): UpstreamIdentity {
  const fields = fieldsOf(connection)
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => attributes.get(name) ?? []).at(0)
  const named = fields.user_id ? first(fields.user_id) : (nameId?.value ?? first(UNNAMED))
  if (named === undefined || !/^[^\p{C}]{1,255}$/u.test(named)) {
    throw new UpstreamError('unreachable', 'the provider does not say who it is')
  }
  const places = { ...USUAL, ...fields }
  const claims = Object.fromEntries(Object.entries(places).map(([claim, names]) => [claim, first(names)]))
  return {
    provider: connection.strategy,
    providerUserId: `${connection.name}|${named}`,
    profile: profileOf(claims, { verified: 'never' }, connection.settings.options),
    tokens: null,
    logoutHint: null,
  }
}

/**
 * Attributes of the id for a token without a name identifier, which is the default of ADFS. Names are not among them, because
 * they are not unique.
 */
const UNNAMED = [`${XMLSOAP}nameidentifier`, `${XMLSOAP}upn`]

/** The connection's attribute with the id. */
function idAttribute({ strategy, settings }: AssertionConnection): string | undefined {
  if (strategy === ADFS) return settings.options.user_id_attribute
  return strategy === WAAD && settings.options.userid_attribute === 'oid' ? `${MICROSOFT}objectidentifier` : undefined
}

function fieldsOf(connection: AssertionConnection): Record<string, string[]> {
  const { fieldsMap = {} } = connection.settings.options
  const id = idAttribute(connection)
  return {
    ...(id === undefined ? {} : { user_id: [id] }),
    ...Object.fromEntries(Object.entries(fieldsMap).map(([name, from]) => [name, [from].flat()])),
  }
}
