// Removal of a factor. With the last one, everything that depends on it is removed: the recovery code, waiting factors, and the
// remembered browsers.
import type { MfaDeps } from './deps'

type Deps = Pick<MfaDeps, 'authenticators' | 'knownBrowsers' | 'trail'>

/** False if the user has no such factor. */
export async function removeFactor(
  userId: string,
  id: string,
  { authenticators, knownBrowsers, trail }: Deps,
): Promise<boolean> {
  const removed = await authenticators.remove(userId, id)
  if (removed) trail.record('factor_removed', {})
  const left = removed && (await authenticators.list(userId))
  if (left && left.length === 0) await knownBrowsers.forget(userId)
  return removed
}
