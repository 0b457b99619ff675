// The policy is whole: every endpoint has its limit, every limit its row in docs/rate-limits.md.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../endpoints/index'
import { ENDPOINT_LIMITS, LIMIT_NAMES, LIMITS, type LimitRule, limitOfEndpoint } from './limits'

const endpoints = [...new Map(Object.values(ENDPOINTS).map((endpoint) => [endpoint.name, endpoint])).values()]

describe('the table of limits', () => {
  it('names every endpoint and no other', () => {
    expect(Object.keys(ENDPOINT_LIMITS).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted())
  })

  it('leaves nothing unlimited but what the machinery around the server asks', () => {
    const unlimited = endpoints.filter(({ name }) => limitOfEndpoint(name, 'GET') === null).map(({ name }) => name)
    expect(unlimited).toEqual(['healthz', 'readyz'])
    expect(limitOfEndpoint('something new', 'POST')).toBe('pages')
  })

  it('has each handler count for itself whose limit is not the network’s', () => {
    const silent = endpoints.flatMap(({ name, methods }) =>
      Object.entries(methods).flatMap(([method, handler]) => {
        const limit = limitOfEndpoint(name, method)
        return limit !== null && LIMITS[limit].by !== 'network' && handler.length < 3 ? [`${method} ${name}`] : []
      }),
    )
    expect(silent).toEqual([])
  })

  it('is what docs/rate-limits.md shows', () => {
    const page = readFileSync(new URL('../../docs/rate-limits.md', import.meta.url), 'utf8')
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
