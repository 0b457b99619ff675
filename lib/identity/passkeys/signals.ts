// What a browser's passkey manager should know of a user's passkeys (WebAuthn 5.1.10): it then hides removed ones, and shows the name of now.
import type { Passkey } from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import { namesOf } from './options'
import { type PasskeySite, relyingPartyIdOf } from './relying-party'

/** `removed` are user handles that may have lost their last passkey. */
export function passkeySignals(
  user: User,
  passkeys: readonly Passkey[],
  site: PasskeySite,
  removed: readonly string[] = [],
) {
  const rpId = relyingPartyIdOf(site)
  const idsOf = new Map<string, string[]>(removed.map((handle) => [handle, []]))
  for (const { userHandle, credentialId } of passkeys.filter((each) => each.rpId === rpId)) {
    const handle = Buffer.from(userHandle).toString('base64url')
    idsOf.set(handle, [...(idsOf.get(handle) ?? []), credentialId])
  }
  return [...idsOf].map(([handle, ids]) => ({ rpId, handle, ids, ...namesOf(user) }))
}
