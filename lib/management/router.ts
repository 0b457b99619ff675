// Finds the operation of a request by method and path.
// - One of the vendor's tools encodes twice, so a value that is still encoded is decoded again.
import { isStorable } from '../kernel/json'
import { createPaths, namesIn } from '../kernel/paths'
import { percentDecoded } from '../kernel/url'
import { OPERATIONS } from '.'
import type { ManagementDeps } from './deps'
import type { Operation } from './operations/operation'

const BASE = '/api/v2'

type Found = { operation: Operation<ManagementDeps>; params: Record<string, string> }

/** Null for an unknown path, 'method' for a known path without this method. */
export type OperationRouter = (method: string, path: string) => Found | 'method' | null

export function createOperationRouter(operations: readonly Operation<ManagementDeps>[] = OPERATIONS): OperationRouter {
  const find = createPaths(methodsByPath(operations))
  return (method, path) => {
    const match = path.startsWith(`${BASE}/`) ? find(path.slice(BASE.length)) : null
    const values = match?.values.map(decoded)
    // No object has an id that cannot be stored.
    if (!match || !values?.every(isStorable)) return null
    const operation = match.value.get(method === 'HEAD' ? 'GET' : method)
    if (!operation) return 'method'
    return { operation, params: Object.fromEntries(namesIn(operation.path).map((name, i) => [name, values[i] ?? ''])) }
  }
}

/** The operations at each path, whatever each of them calls its names. */
function methodsByPath(operations: readonly Operation<ManagementDeps>[]) {
  const paths = new Map<string, Map<string, Operation<ManagementDeps>>>()
  for (const operation of operations) {
    const { method, path } = operation
    const pattern = path.replace(/:\w+/g, ':')
    const methods = paths.get(pattern) ?? new Map<string, Operation<ManagementDeps>>()
    if (methods.has(method)) throw new Error(`${method} ${path} is defined twice`)
    paths.set(pattern, methods.set(method, operation))
  }
  return paths
}

function decoded(segment: string): string {
  const once = percentDecoded(segment)
  return /%[0-9A-Fa-f]{2}/.test(once) ? percentDecoded(once) : once
}
