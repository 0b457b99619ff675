// Maps a path to an endpoint. Exact paths are one map look-up.
import { createPaths, namesIn } from '../kernel/paths'
import { percentDecoded } from '../kernel/url'
import type { Endpoint } from './endpoint'

export type Match<R> = { endpoint: Endpoint<R>; params: Record<string, string> }

export function createRouter<R>(table: Readonly<Record<string, Endpoint<R>>>): (path: string) => Match<R> | null {
  const isExact = ([path]: readonly [string, unknown]): boolean => !/:|\/\*$/.test(path)
  const rows = Object.entries(table)
  const exact = new Map(rows.filter(isExact).map(([path, endpoint]) => [path, { endpoint, params: {} }]))
  const find = createPaths(
    rows.filter((row) => !isExact(row)).map(([path, endpoint]) => [path, { endpoint, names: namesIn(path) }]),
  )
  return (path) => {
    const known = exact.get(path)
    if (known) return known
    const match = find(path)
    if (!match) return null
    const { endpoint, names } = match.value
    return {
      endpoint,
      params: Object.fromEntries(names.map((name, i) => [name, percentDecoded(match.values[i] ?? '')])),
    }
  }
}
