// The policy is complete: every endpoint has a limit, and every limit has a row in docs/rate-limits.md.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limitOf, MAX_BODY } from '../../http/endpoint'
import { ENDPOINTS } from '../../server/endpoints/index'
import { LIMIT_NAMES, LIMITS, type LimitRule } from './limits'

const endpoints = [...new Map(Object.values(ENDPOINTS).map((endpoint) => [endpoint.name, endpoint])).values()]

describe('the table of limits', () => {
  it('leaves nothing unlimited but what the machinery around the server asks', () => {
    const unlimited = endpoints.filter((endpoint) => limitOf(endpoint, 'GET') === null).map(({ name }) => name)
    expect(unlimited).toEqual(['healthz', 'readyz'])
  })

  it('has each handler count for itself whose limit is not the network’s', () => {
    const silent = endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.methods).flatMap(([method, handler]) => {
        const limit = limitOf(endpoint, method)
        return limit !== null && !/^networks?$/.test(LIMITS[limit].by) && handler.length < 3
          ? [`${method} ${endpoint.name}`]
          : []
      }),
    )
    expect(silent).toEqual([])
  })

  it('has every size of a body in docs/rate-limits.md', () => {
    const page = readFileSync(new URL('../../../docs/rate-limits.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| (?:`(\/[^`]+)`|every other endpoint) \| ([\d,]+) \|$/gm)]
    const sizes = Object.entries(ENDPOINTS).flatMap(([path, { maxBody }]) => (maxBody ? [[path, maxBody / 1024]] : []))
    expect(Object.fromEntries(rows.map(([, path = '', size = '']) => [path, Number(size.replace(',', ''))]))).toEqual({
      ...Object.fromEntries(sizes),
      '': MAX_BODY / 1024,
    })
  })

  it('is what docs/rate-limits.md shows', () => {
    const page = readFileSync(new URL('../../../docs/rate-limits.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \| ([\d,.]+) \| ([a-z ]+) \| (.*) \|$/gm)]
    const number = (text = '') => Number(text.replaceAll(',', ''))
    const shown = rows.map(([, name, burst, rate, by]) => [name, number(burst), number(rate), by])
    const own = ({ by, own }: LimitRule) => (own ? `${by}, by each process` : by)
    expect(shown).toEqual(
      LIMIT_NAMES.map((name) => {
        const rule: LimitRule = LIMITS[name]
        return [name, rule.burst, Math.round(rule.per_minute * 100) / 100, own(rule).replace(',', '')]
      }),
    )
  })
})
