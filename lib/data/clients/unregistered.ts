// What the log says of an address that the application has not registered: the address without what may be secret, and the nearest registered
// one. A registered address is configuration, so a stranger never sees it.
import type { Explained } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'

/** The options of a refusal. */
export function unregistered(
  reason: Reason,
  url: string,
  registered: readonly string[],
): Explained & { detail: string } {
  const nearest = nearestOf(url, registered)
  const known = nearest === undefined ? 'none is registered' : `did you mean ${nearest}?`
  return { reason, detail: `${shown(url)} is not registered; ${known}` }
}

/** The registered address that has the longest beginning and end in common with `url`, for its length; the first of equals. */
export function nearestOf(url: string, registered: readonly string[]): string | undefined {
  let best: { entry: string; likeness: number } | undefined
  for (const entry of registered) {
    const likeness = likenessOf(trimmed(url), trimmed(entry))
    if (!best || likeness > best.likeness) best = { entry, likeness }
  }
  return best?.entry
}

function likenessOf(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before += 1
  let after = 0
  while (after < shorter - before && a.at(-1 - after) === b.at(-1 - after)) after += 1
  return (before + after) / Math.max(a.length, b.length, 1)
}

const trimmed = (url: string): string => url.replace(/\/$/, '').toLowerCase()

const MAX_SHOWN = 150

/** Query, fragment and user info may hold a secret. */
const shown = (url: string): string =>
  url
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/]*@/, '//')
    .replace(/[^!-~]/g, '?')
    .slice(0, MAX_SHOWN)
