// Maps a profile to the attributes of an assertion, as the vendor's SAML add-on does. Pure.
// - A field in `mappings` gets that name. Other fields get the vendor's prefix, their own name, or are left out, as the client's
//   settings say.
// - `app_metadata` and `user_metadata` are left out unless a mapping names a member, such as `app_metadata.team`.

import type { Attribute, AttributeValue } from '../../crypto/saml/messages'
import { ATTRIBUTE_FORMAT } from '../../crypto/saml/names'
import { DEFAULT_MAPPINGS, type SamlSettings } from '../clients/saml'
import { type LinkedIdentity, type Profile, presentProfile } from '../users/profile'
import { unprovenAddress, withoutAddress } from './unproven-address'

export type ClaimMapping = Pick<
  SamlSettings,
  | 'mappings'
  | 'createUpnClaim'
  | 'passthroughClaimsWithNoMapping'
  | 'mapUnknownClaimsAsIs'
  | 'mapIdentities'
  | 'includeAttributeNameFormat'
  | 'nameIdentifierProbes'
  | 'includeUnverifiedEmail'
>

/**
 * Adds the attributes that rules set. They never replace one, so the identity stays that of the profile (threat-model.md
 * RU1).
 */
export type MappedClaims = ReadonlyMap<string, readonly AttributeValue[]>

const VENDOR_CLAIMS = 'http://schemas.auth0.com'

/** Never passed through: internal to the account, or not meant for every party. */
const HELD_BACK = new Set([
  'identities',
  'user_metadata',
  'app_metadata',
  'last_login',
  'last_ip',
  'logins_count',
  'upn',
])

export function mapClaims(profile: Profile, clientId: string, mapping: ClaimMapping): MappedClaims {
  const fields = fieldsOf(profile, clientId, mapping)
  const claims = new Map<string, readonly AttributeValue[]>()
  const put = (name: string, value: unknown): void => {
    const values = valuesOf(value)
    if (values.length > 0) claims.set(name, values)
  }
  for (const [field, names] of Object.entries(mapping.mappings)) {
    for (const name of [names].flat()) put(name, fieldAt(fields, field))
  }
  if (mapping.passthroughClaimsWithNoMapping) {
    const prefix = mapping.mapUnknownClaimsAsIs ? '' : `${VENDOR_CLAIMS}/`
    for (const [field, value] of Object.entries(fields)) {
      if (!HELD_BACK.has(field) && !Object.hasOwn(mapping.mappings, field)) put(prefix + field, value)
    }
  }
  if (mapping.mapIdentities) for (const [name, value] of identityClaims(profile.identities)) put(name, value)
  return claims
}

/**
 * With what rules have an assertion say besides. They add names and replace none, so who the person is stays what the
 * profile says (threat-model.md RU1).
 */
export function withCustom(
  claims: MappedClaims,
  custom: Readonly<Record<string, unknown>>,
  user: Profile['user'],
  mapping: ClaimMapping,
): MappedClaims {
  const { mappings, passthroughClaimsWithNoMapping: passes, mapUnknownClaimsAsIs: asIs } = mapping
  const unproven = unprovenAddress(user, mapping)
  const all = new Map(claims)
  for (const [claim, value] of Object.entries(custom)) {
    const own = asIs || isAddress(claim) ? claim : `${VENDOR_CLAIMS}/${claim}`
    const names = Object.hasOwn(mappings, claim) ? [mappings[claim] ?? []].flat() : passes ? [own] : []
    const values = valuesOf(withoutAddress(value, unproven))
    for (const name of names) if (!all.has(name) && values.length > 0) all.set(name, values)
  }
  return all
}

/**
 * With the attributes that actions set, under their own names. Null if one would replace an attribute of the profile, or be the name
 * identifier: who the person is stays what the profile says (RU1).
 */
export function withAttributes(
  claims: MappedClaims,
  attributes: Readonly<Record<string, unknown>>,
  user: Profile['user'],
  mapping: ClaimMapping,
): MappedClaims | null {
  const unproven = unprovenAddress(user, mapping)
  const all = new Map(claims)
  for (const [name, value] of Object.entries(attributes)) {
    const values = valuesOf(withoutAddress(value, unproven))
    const before = claims.get(name)
    if (before ? String(before) !== String(values) : mapping.nameIdentifierProbes.includes(name)) return null
    if (values.length > 0) all.set(name, values)
  }
  return all
}

const isAddress = (name: string): boolean => /^(urn:|https?:\/\/)/i.test(name)

function fieldsOf(profile: Profile, clientId: string, mapping: ClaimMapping): Record<string, unknown> {
  const { user } = profile
  const shown = provenFields(profile, mapping)
  return {
    ...shown,
    name: shown.name ?? shown.email ?? shown.username,
    nickname: shown.nickname ?? user.email?.split('@')[0] ?? shown.username,
    app_metadata: withoutAddress(user.appMetadata, unprovenAddress(user, mapping)),
    clientID: clientId,
    upn: mapping.createUpnClaim ? (shown.upn ?? shown.email) : undefined,
  }
}

/** The user's id stays whole: it is of our making, though it may end with what a provider calls the person. */
const provenFields = (profile: Profile, mapping: ClaimMapping): Record<string, unknown> => ({
  ...(withoutAddress(presentProfile(profile), unprovenAddress(profile.user, mapping)) as Record<string, unknown>),
  user_id: profile.user.id,
})

const fieldAt = (fields: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), fields)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The account in the user's id, under the vendor's names. */
function identityClaims([identity]: readonly LinkedIdentity[]): [string, unknown][] {
  if (!identity) return []
  const { providerUserId, provider, connection, isSocial } = identity
  const own = { user_id: `${provider}|${providerUserId}`, provider, connection, isSocial }
  return Object.entries(own).map(([name, value]) => [`${VENDOR_CLAIMS}/identities/default/${name}`, value])
}

const valuesOf = (value: unknown): AttributeValue[] =>
  [value].flat().filter((one): one is AttributeValue => isScalar(one) && one !== '')

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

export const attributesOf = (claims: MappedClaims, { includeAttributeNameFormat }: ClaimMapping): Attribute[] =>
  [...claims].map(([name, values]) => ({ name, values, format: includeAttributeNameFormat ? formatOf(name) : null }))

/** The vendor's guess of the format from the attribute's name. */
function formatOf(name: string): string {
  if (isAddress(name)) return ATTRIBUTE_FORMAT.uri
  return /^[\p{L}_:][\p{L}\p{N}_:.\-·]*$/u.test(name) ? ATTRIBUTE_FORMAT.basic : ATTRIBUTE_FORMAT.unspecified
}

/** The name identifier: the first probe that has a value, else the user's id. */
export function nameIdentifierOf(claims: MappedClaims, profile: Profile, mapping: ClaimMapping): string {
  const shown = provenFields(profile, mapping)
  const named = { ...shown, name: shown.name ?? shown.email }
  const unmapped = new Map(Object.entries(DEFAULT_MAPPINGS).map(([field, name]) => [name, fieldAt(named, field)]))
  for (const probe of mapping.nameIdentifierProbes) {
    const [value] = claims.get(probe) ?? valuesOf(unmapped.get(probe))
    if (value !== undefined) return String(value)
  }
  return profile.user.id
}
