// What a SAML provider calls the session that it signed somebody in with: kept, sealed, with the proof of that login, so that either
// side can speak of its end.
import type { NamedVerdict } from '../../saml/checks'
import type { Connection } from '../connection'

export type SignedInAs = { nameId: string; format: string | null; sessionIndex: string | null }

export const signedInAs = ({ nameId, sessionIndex }: NamedVerdict): string =>
  JSON.stringify({ nameId: nameId.value, format: nameId.format, sessionIndex } satisfies SignedInAs)

/** Null for what a provider of another kind left, under a connection that had the same name. */
export function readSignedInAs(hint: string | null): SignedInAs | null {
  try {
    return hint === null ? null : (JSON.parse(hint) as SignedInAs)
  } catch {
    return null
  }
}

/** The id of whoever the provider calls so; null where an attribute tells people apart, and the name does not. */
export const accountNamed = ({ name, settings: { options } }: Connection, nameId: string): string | null =>
  options.fieldsMap?.user_id === undefined ? `${name}|${nameId}` : null
