// The NameID of the assertion (SAML Core 3.4.1.1, 8.3). Without a requested format, or with the client's own, the add-on
// decides. Other supported formats: the email address, the user id, and a name for this session only. Null for an unsupported
// format.
// - An unverified email address is never used: the user who typed it at sign-up would be taken for its owner. The add-on decides
//   instead, as at the vendor, which honours no requested format (threat-model.md IP4).

import type { NameId, Status } from '../../crypto/saml/messages'
import { NAME_ID, nameIdFormat, STATUS } from '../../crypto/saml/names'
import type { MappedClaims } from '../../data/claims/attributes'
import { nameIdentifierOf } from '../../data/claims/attributes'
import { unprovenAddress } from '../../data/claims/unproven-address'
import type { SamlSettings } from '../../data/clients/saml'
import type { Profile } from '../../data/users/profile'
import { canonical } from '../../data/users/user'
import type { Random } from '../../kernel/random'

export const INVALID_NAME_ID_POLICY: Status = { code: STATUS.requester, detail: STATUS.invalidNameIdPolicy }

export function nameIdFor(
  requested: string | null,
  claims: MappedClaims,
  profile: Profile,
  settings: SamlSettings,
  random: Random,
): NameId | null {
  const own = settings.nameIdentifierFormat
  const format =
    requested === null ||
    [NAME_ID.unspecified, nameIdFormat(own)].includes(requested) ||
    isUnproven(requested, profile, settings)
      ? own
      : requested
  if (format === NAME_ID.transient) return { format, value: `_${random.hex(32)}` }
  if (format === own) return { format, value: nameIdentifierOf(claims, profile, settings) }
  if (format === NAME_ID.persistent) return { format, value: profile.user.id }
  return format === NAME_ID.email && profile.user.email !== null ? { format, value: profile.user.email } : null
}

/**
 * Whether a requested subject is this person (Core 3.3.4): by the name that the add-on gives, by the user id, or by an address that is
 * proven. A name that was for one session names no one later.
 */
export function isAbout(
  { nameId, format }: { nameId: string; format: string | null },
  claims: MappedClaims,
  profile: Profile,
  settings: SamlSettings,
): boolean {
  const { user } = profile
  const isProven = user.email !== null && unprovenAddress(user, settings) === null
  const byAddress = isProven && canonical(nameId) === canonical(user.email ?? '')
  const byName = nameId === user.id || nameId === nameIdentifierOf(claims, profile, settings)
  switch (format) {
    case NAME_ID.email:
      return byAddress
    case NAME_ID.persistent:
      return nameId === user.id
    case NAME_ID.transient:
      return false
    default:
      return byName || byAddress
  }
}

const isUnproven = (requested: string, { user }: Profile, settings: SamlSettings): boolean =>
  requested === NAME_ID.email && unprovenAddress(user, settings) !== null
