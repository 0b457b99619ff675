// Compared with Next's own reader.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRouterState } from './router-state'

const require = createRequire(import.meta.url)
const { parseAndValidateFlightRouterState: readByNext } =
  require('next/dist/server/app-render/parse-and-validate-flight-router-state') as {
    parseAndValidateFlightRouterState(header: string): unknown
  }

function isReadByNext(header: string): boolean {
  try {
    readByNext(header)
    return true
  } catch {
    return false
  }
}

const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

it('accepts what a browser sends, and no header', () => {
  const page = ['__PAGE__', {}, null, null, 0]
  const id = ['id', 'auth0|1', 'd', null]
  const tree = [
    '',
    { children: ['console', { children: ['users', { children: [id, { children: page }] }] }] },
    null,
    'refetch',
    16,
  ]
  expect(isRouterState(encoded(tree))).toBe(true)
  expect(isRouterState(undefined)).toBe(true)
})

it.each(['', '{', '%E0%A4%A', '%ff', 'null', '[]', '[1,{}]', '[""]', '["",{"a":1}]', '["",{},1]', '["",{},null,"x"]'])(
  'refuses %j, as Next does',
  (header) => {
    expect([isRouterState(header), isReadByNext(header)]).toEqual([false, false])
  },
)

it('accepts nothing that Next refuses', () => {
  const kind = fc.constantFrom('c', 'oc', 'd', 'ci(.)', 'di(..)', 'ci(...)', 'di(..)(..)', 'ci(.)(.)', 'x', '')
  const segment = fc.oneof(
    fc.string(),
    fc.tuple(fc.string(), fc.string(), kind, fc.option(fc.array(fc.string(), { maxLength: 2 }))),
    fc.jsonValue(),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.tuple(segment, fc.constant({})),
      fc.tuple(
        segment,
        fc.dictionary(fc.constantFrom('children', 'modal', '__proto__'), tie('tree'), { maxKeys: 2 }),
        fc.constantFrom(null, ['/a', ''], ['/a'], 1),
        fc.constantFrom(null, 'refetch', 'inside-shared-layout', 'metadata-only', 'x'),
        fc.constantFrom(null, 0, 16, 'x', true),
      ),
      fc.tuple(
        segment,
        fc.constant({}),
        fc.constant(null),
        fc.constant(null),
        fc.constant(1),
        fc.constantFrom('a', null, 1),
      ),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const header = encoded(value)
      expect(isRouterState(header) && !isReadByNext(header)).toBe(false)
    }),
    { numRuns: 3000, seed: 20261125 },
  )
})
