// Finds the operation of a request by method and path.
// - A path is split before it is decoded: identifiers contain `%2F`. One of the vendor's tools encodes twice, so a value that is
//   still encoded is decoded again.
// - A literal segment wins over a parameter: `/organizations/name/:name` over `/organizations/:id/members`.
import { isStorable } from '../kernel/json'
import { percentDecoded } from '../kernel/url'
import { OPERATIONS } from '.'
import type { ManagementDeps } from './deps'
import type { Operation } from './operations/operation'

const BASE = '/api/v2'

type Found = { operation: Operation<ManagementDeps>; params: Record<string, string> }
type Node = {
  literal: Map<string, Node>
  parameter?: Node
  operations: Map<string, Operation<ManagementDeps>>
}

const newNode = (): Node => ({ literal: new Map(), operations: new Map() })

/** Null for an unknown path, 'method' for a known path without this method. */
export type OperationRouter = (method: string, path: string) => Found | 'method' | null

export function createOperationRouter(operations: readonly Operation<ManagementDeps>[] = OPERATIONS): OperationRouter {
  const root = newNode()
  for (const operation of operations) {
    const node = segmentsOf(operation.path).reduce(descend, root)
    if (node.operations.has(operation.method)) throw new Error(`${operation.method} ${operation.path} is defined twice`)
    node.operations.set(operation.method, operation)
  }
  return (method, path) => {
    if (!path.startsWith(`${BASE}/`)) return null
    const match = find(root, segmentsOf(path.slice(BASE.length)))
    if (!match) return null
    // No object has such an id.
    if (!match.values.every(isStorable)) return null
    const operation = match.node.operations.get(method === 'HEAD' ? 'GET' : method)
    return operation ? { operation, params: paramsOf(operation, match.values) } : 'method'
  }
}

const segmentsOf = (path: string): string[] => path.slice(1).split('/')

function descend(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.parameter ??= newNode()
    return node.parameter
  }
  const next = node.literal.get(segment) ?? newNode()
  node.literal.set(segment, next)
  return next
}

type Match = { node: Node; values: string[] }

function find(node: Node, [segment, ...rest]: readonly string[], values: string[] = []): Match | null {
  if (segment === undefined) return node.operations.size > 0 ? { node, values } : null
  if (segment === '') return null
  const literal = node.literal.get(segment)
  const found = literal && find(literal, rest, values)
  if (found) return found
  return node.parameter ? find(node.parameter, rest, [...values, decoded(segment)]) : null
}

function paramsOf({ path }: Operation<ManagementDeps>, values: readonly string[]): Record<string, string> {
  const names = segmentsOf(path).filter((segment) => segment.startsWith(':'))
  return Object.fromEntries(names.map((name, index) => [name.slice(1), values[index] ?? '']))
}

function decoded(segment: string): string {
  const once = percentDecoded(segment)
  return /%[0-9A-Fa-f]{2}/.test(once) ? percentDecoded(once) : once
}
