// The header Next-Router-State-Tree, in which a browser says what it shows already. Next answers a header that it cannot read with a
// 500, so this accepts what Next's own schema does (threat-model.md HT1).

/** Whether Next can read the header; also without one. */
export function isRouterState(header: string | undefined): boolean {
  if (header === undefined) return true
  try {
    return isTree(JSON.parse(decodeURIComponent(header)))
  } catch {
    return false
  }
}

const REFRESHES: readonly unknown[] = [undefined, null, 'refetch', 'inside-shared-layout', 'metadata-only']
const PARAMETERS = /^(?:c|oc|d|[cd]i\((?:\.{1,3}|\.\.\)\(\.\.)\))$/

/** `[segment, children, url?, refresh?, hints?, …]`. */
function isTree(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2 || value.length > 6) return false
  const [segment, children, url, refresh, hints, rest] = value as unknown[]
  return (
    isSegment(segment) &&
    isRecord(children) &&
    Object.values(children).every(isTree) &&
    (isAbsent(url) || (Array.isArray(url) && url.length === 2 && url.every(isText))) &&
    REFRESHES.includes(refresh) &&
    (isAbsent(hints) || typeof hints === 'number') &&
    (rest === undefined || isText(rest))
  )
}

/** A name, or `[parameter, value, kind, siblings]`. */
function isSegment(value: unknown): boolean {
  if (isText(value)) return true
  if (!Array.isArray(value) || value.length !== 4) return false
  const [name, text, kind, siblings] = value as unknown[]
  const areSiblings = siblings === null || (Array.isArray(siblings) && siblings.every(isText))
  return isText(name) && isText(text) && isText(kind) && PARAMETERS.test(kind) && areSiblings
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isAbsent = (value: unknown): boolean => value === undefined || value === null
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
