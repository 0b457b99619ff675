// Browsers that a person has passed in (threat-model.md MF1): known ones are less risky, and remembered ones are asked for
// no second factor for 30 days.
// - What a browser holds is a random value of its own per person, made when the login that it comes from finishes: a value
//   that somebody else planted there counts for nobody, and none of them proves who anybody is.
// - A new password, being signed out everywhere and removing the last factor forget them all.
import { addSeconds } from '../kernel/clock'
import type { BrowserStanding } from './policy'

export const REMEMBER_SECONDS = 30 * 86400

/** How long a browser that was not seen again is still known. */
export const KNOWN_SECONDS = 90 * 86400

export type KnownBrowser = { digest: Uint8Array; rememberedUntil: Date | null }

export type KnownBrowserPort = {
  /** The user's browser among these values, if it was seen after `since`; a remembered one first. */
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
