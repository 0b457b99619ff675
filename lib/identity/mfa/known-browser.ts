// Browsers in which a user has passed a second factor (threat-model.md MF1): known ones are less risky, and remembered ones need
// no second factor for 30 days.
// - A browser holds a random value per user, created when its login finishes. A value planted by an attacker is valid for no
//   user, and no value authenticates a user.
// - A new password, a logout everywhere and the removal of the last factor delete all of them.
import { addSeconds } from '../../kernel/clock'
import type { BrowserStanding } from './policy'

export const REMEMBER_SECONDS = 30 * 86400

/** How long a browser stays known after it was last seen. */
export const KNOWN_SECONDS = 90 * 86400

export type KnownBrowser = { digest: Uint8Array; rememberedUntil: Date | null }

export type KnownBrowserPort = {
  /** The user's browser among these values, if it was seen after `since`; a remembered one is preferred. */
  find(userId: string, digests: readonly Uint8Array[], since: Date): Promise<KnownBrowser | null>
  keep(userId: string, browser: KnownBrowser, at: Date): Promise<void>
  forget(userId: string): Promise<void>
}

export async function standingOf(
  userId: string,
  digests: readonly Uint8Array[],
  now: Date,
  port: KnownBrowserPort,
): Promise<BrowserStanding> {
  if (digests.length === 0) return 'unknown'
  const known = await port.find(userId, digests, addSeconds(now, -KNOWN_SECONDS))
  if (!known) return 'unknown'
  return known.rememberedUntil !== null && known.rememberedUntil > now ? 'remembered' : 'known'
}
