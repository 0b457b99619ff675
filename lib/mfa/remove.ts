// Taking a factor away; with the last one everything that depended on it goes: recovery code, what waited, the browsers in
// which none was asked for.
import type { MfaDeps } from './deps'

type Deps = Pick<MfaDeps, 'authenticators' | 'knownBrowsers' | 'trail'>

/** False when it is not one of the user's. */
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
