// Maps a path to an endpoint. Exact paths are one map look-up; patterns with `:name` segments follow in table order. A final `/*`
// matches every longer path.
import { percentDecoded } from '../kernel/url'
import type { Endpoint } from './endpoint'

export type Match<R> = { endpoint: Endpoint<R>; params: Record<string, string> }

export function createRouter<R>(table: Readonly<Record<string, Endpoint<R>>>): (path: string) => Match<R> | null {
  const exact = new Map<string, Match<R>>()
  const patterns: { names: string[]; expression: RegExp; endpoint: Endpoint<R> }[] = []
  for (const [path, endpoint] of Object.entries(table)) {
    if (/:|\/\*$/.test(path)) patterns.push({ ...compile(path), endpoint })
    else exact.set(path, { endpoint, params: {} })
  }
  return (path) => exact.get(path) ?? matchPattern(path, patterns)
}

function compile(path: string): { names: string[]; expression: RegExp } {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '([^/]+)')
    .replace(/\/\*$/, '/.+')
  return { names, expression: new RegExp(`^${source}$`) }
}

function matchPattern<R>(
  path: string,
  patterns: readonly { names: string[]; expression: RegExp; endpoint: Endpoint<R> }[],
): Match<R> | null {
  for (const { names, expression, endpoint } of patterns) {
    const found = expression.exec(path)
    if (found)
      return {
        endpoint,
        params: Object.fromEntries(names.map((name, i) => [name, percentDecoded(found[i + 1] ?? '')])),
      }
  }
  return null
}
