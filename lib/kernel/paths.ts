// Finds what is defined at a path. A pattern has literal segments and names (`/users/:id`), and may end with `/*`: every longer path.
// - A path is split before it is decoded, because identifiers contain `%2F`. The values are as they stand in the path.
// - A literal wins over a name, and a name over the rest: `/organizations/name/:name` over `/organizations/:id/members`.

type Node<Value> = {
  literals: Map<string, Node<Value>>
  named?: Node<Value>
  /** At the end of a pattern. */
  here?: { value: Value }
  /** At a final `/*`. */
  rest?: { value: Value }
}

/** `values` of the names of the pattern, in their order; none of them is empty. */
export type PathMatch<Value> = { value: Value; values: string[] }

export function createPaths<Value>(
  patterns: Iterable<readonly [string, Value]>,
): (path: string) => PathMatch<Value> | null {
  const root: Node<Value> = { literals: new Map() }
  for (const [pattern, value] of patterns) add(root, pattern, { value })
  return (path) => find(root, segmentsOf(path), [])
}

/** The names of a pattern, in the order of the values of a match. */
export const namesIn = (pattern: string): string[] => [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const segmentsOf = (path: string): string[] => path.slice(1).split('/')

function add<Value>(root: Node<Value>, pattern: string, end: { value: Value }): void {
  const isOpen = pattern.endsWith('/*')
  const node = segmentsOf(isOpen ? pattern.slice(0, -2) : pattern).reduce(descend, root)
  if (isOpen ? node.rest : node.here) throw new Error(`${pattern} is defined twice`)
  if (isOpen) node.rest = end
  else node.here = end
}

function descend<Value>(node: Node<Value>, segment: string): Node<Value> {
  const next = (segment.startsWith(':') ? node.named : node.literals.get(segment)) ?? { literals: new Map() }
  if (segment.startsWith(':')) node.named = next
  else node.literals.set(segment, next)
  return next
}

function find<Value>(
  node: Node<Value>,
  [segment, ...others]: readonly string[],
  values: string[],
): PathMatch<Value> | null {
  if (segment === undefined) return node.here ? { value: node.here.value, values } : null
  const literal = node.literals.get(segment)
  const found =
    (literal && find(literal, others, values)) ??
    (node.named && segment !== '' ? find(node.named, others, [...values, segment]) : null)
  if (found) return found
  return node.rest && (segment !== '' || others.length > 0) ? { value: node.rest.value, values } : null
}
