// The provider's identifiers of a SAML session, stored sealed with the evidence of the login, so that either side can end the
// session.
import type { VerifiedAssertion } from '../../../crypto/saml/response-checks'
import type { SamlConnection } from '../connection'
import { isNamedByIdentifier } from './saml-claims'

export type SignedInAs = { nameId: string; format: string | null; sessionIndex: string | null }

/** Null without a name identifier, by which alone messages of logout name a person. */
export const signedInAs = ({ nameId, sessionIndex }: VerifiedAssertion): string | null =>
  nameId && JSON.stringify({ nameId: nameId.value, format: nameId.format, sessionIndex } satisfies SignedInAs)

/** Null for the hint of a provider of another kind, under an earlier connection with the same name. */
export function readSignedInAs(hint: string | null): SignedInAs | null {
  try {
    return hint === null ? null : (JSON.parse(hint) as SignedInAs)
  } catch {
    return null
  }
}

/** The account id for this name identifier; null if an attribute identifies users and the name identifier does not. */
export const accountNamed = (connection: SamlConnection, nameId: string): string | null =>
  isNamedByIdentifier(connection) ? `${connection.name}|${nameId}` : null
