// What an assertion says of a person → who that is here. The id is the NameID, or the attribute that `fieldsMap.user_id` names;
// the rest is found where `fieldsMap` says, or under the names that providers commonly use.
import type { Verdict } from '../../saml/checks'
import type { Connection } from '../connection'
import { SAMLP } from '../saml-options'
import { profileOf } from './claims'
import { UpstreamError, type UpstreamIdentity } from './upstream'

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'

/** Claim → attributes, of which the first there is counts. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  email: [`${XMLSOAP}emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3', 'email', 'mail', 'emailAddress'],
  name: [`${XMLSOAP}name`, 'urn:oid:2.16.840.1.113730.3.1.241', 'displayName', 'name'],
  given_name: [`${XMLSOAP}givenname`, 'urn:oid:2.5.4.42', 'givenName', 'firstName', 'given_name'],
  family_name: [`${XMLSOAP}surname`, 'urn:oid:2.5.4.4', 'sn', 'lastName', 'family_name'],
  nickname: ['http://schemas.auth0.com/nickname', 'nickname'],
  picture: ['http://schemas.auth0.com/picture', 'picture'],
  email_verified: ['http://schemas.auth0.com/email_verified', 'email_verified'],
}

export function identityOf(verdict: Verdict, connection: Connection): UpstreamIdentity {
  const { options } = connection.settings
  const fields = Object.fromEntries(
    Object.entries(options.fieldsMap ?? {}).map(([name, from]) => [name, [from].flat()]),
  )
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => verdict.attributes.get(name) ?? []).at(0)
  const named = fields.user_id === undefined ? verdict.nameId.value : first(fields.user_id)
  if (named === undefined || !/^[^\p{C}]{1,255}$/u.test(named)) {
    throw new UpstreamError('unreachable', 'the provider does not say who it is')
  }
  const places = { ...USUAL, ...fields }
  const claims = Object.fromEntries(Object.entries(places).map(([claim, names]) => [claim, first(names)]))
  return {
    provider: SAMLP,
    providerUserId: `${connection.name}|${named}`,
    profile: profileOf(claims, { verified: 'never' }, options),
    tokens: null,
    logoutHint: JSON.stringify(signedInAs(verdict)),
  }
}

export type SignedInAs = { nameId: string; format: string | null; sessionIndex: string | null }

const signedInAs = ({ nameId, sessionIndex }: Verdict): SignedInAs => ({
  nameId: nameId.value,
  format: nameId.format,
  sessionIndex,
})
