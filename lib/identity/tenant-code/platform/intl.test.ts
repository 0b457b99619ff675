// Languages and regions, seen from an action. Node.js itself says what is right.
import { afterAll, expect, test } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'

const bench = actionBench()
afterAll(() => bench.close())

/** The value of the expression, in an action and here. */
async function both(expression: string): Promise<[unknown, unknown]> {
  const engine = bench.login(`console.log(JSON.stringify(${expression}))`)
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  expect([record?.outcome, record?.reason]).toEqual(['ok', null])
  const here = new Function(`return JSON.stringify(${expression})`)()
  return [JSON.parse(record?.lines[0]?.text ?? ''), JSON.parse(here)]
}

const DAY = 'new Date(Date.UTC(2027, 0, 5, 14, 3, 9))'

test.each([
  `new Intl.DateTimeFormat('de-DE', { dateStyle: 'full', timeZone: 'Europe/Berlin' }).format(${DAY})`,
  `new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'America/New_York' }).formatToParts(${DAY})`,
  `Intl.DateTimeFormat('en-US').resolvedOptions()`,
  `[${DAY}].map(new Intl.DateTimeFormat('ja-JP').format)`,
  `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).formatRange(${DAY}, new Date(Date.UTC(2027, 1, 1)))`,
  `new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234567.891)`,
  `[1, 2.5, NaN, -0, Infinity, 10n ** 20n, '12.30', null, undefined].map(new Intl.NumberFormat('en-IN').format)`,
  `new Intl.NumberFormat('en-US', { notation: 'compact' }).formatToParts(98765)`,
  `['0', 1, 2, 3, 22].map((n) => new Intl.PluralRules('en-US', { type: 'ordinal' }).select(n))`,
  `['z', 'ä', 'a', 'Z'].sort(new Intl.Collator('de').compare)`,
  `['z', 'ä', 'a', 'Z'].sort((a, b) => a.localeCompare(b, 'sv'))`,
  `['a'.localeCompare('b'), 'a10'.localeCompare('a9', undefined, { numeric: true }), 'a'.localeCompare('A', 'en', { sensitivity: 'base' })]`,
  `new Intl.ListFormat('es', { type: 'disjunction' }).format(['uno', 'dos', 'tres'])`,
  `new Intl.ListFormat('en').formatToParts(new Set(['a', 'b']))`,
  `new Intl.RelativeTimeFormat('fr', { numeric: 'auto' }).format(-1, 'day')`,
  `new Intl.RelativeTimeFormat('en').formatToParts(3, 'hours')`,
  `new Intl.DisplayNames('en', { type: 'region' }).of('CH')`,
  `Intl.NumberFormat.supportedLocalesOf(['de', 'xx-invalid', 'en-US'])`,
  `Intl.getCanonicalLocales('EN-us')`,
  `[new Intl.Locale('de-Latn-AT').language, String(new Intl.Locale('zh').maximize())]`,
  `[${DAY}.toLocaleString('en-US', { timeZone: 'UTC' }), ${DAY}.toLocaleDateString('de-DE', { timeZone: 'Asia/Tokyo' }), ${DAY}.toLocaleTimeString('en-GB', { timeZone: 'UTC' })]`,
  `[new Date(NaN).toLocaleString(), ${DAY}.toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' })]`,
  `[(1234.5).toLocaleString(), (0.256).toLocaleString('de', { style: 'percent' }), 12345678901234567890n.toLocaleString('en-US')]`,
  `[1234.5, null, 'x'].toLocaleString('de')`,
  `['TITLE'.toLocaleLowerCase('tr'), 'title'.toLocaleUpperCase()]`,
  `[1234, ${DAY}].map((each) => Object.prototype.toString.call(new Intl.NumberFormat('en')) + typeof each)`,
])('the expression %s gives the same inside and outside', async (expression) => {
  const [inside, outside] = await both(expression)
  expect(inside).toEqual(outside)
})

test.each([
  `new Intl.DateTimeFormat('no such language')`,
  `new Intl.DateTimeFormat('en', { timeZone: 'Mars/Olympus' })`,
  `new Intl.DateTimeFormat('en').format(new Date(NaN))`,
  `new Intl.NumberFormat('en', { style: 'currency' })`,
  `Intl.PluralRules('en')`,
  `new Intl.DisplayNames('en', {})`,
])('%s is refused as in Node.js', async (expression) => {
  const [inside, outside] = await both(
    `(() => { try { ${expression}; return 'nothing' } catch (error) { return error.name } })()`,
  )
  expect(inside).toBe(outside)
  expect(inside).not.toBe('nothing')
})

test('the operations of the host refuse what no interface sends', async () => {
  const { CALLS } = await import('../sandbox/calls.mjs')
  const calls = CALLS as unknown as Record<string, (args: unknown, bytes?: Uint8Array | null) => unknown>
  const format = (kind: string, method: string) => calls['intl.format']?.({ kind, method, values: [] })
  expect(() => format('constructor', 'format')).toThrow(TypeError)
  expect(() => format('NumberFormat', 'make')).toThrow(TypeError)
  expect(() => format('NumberFormat', 'toString')).toThrow(TypeError)
  expect(() => calls['buffer.encode']?.({ text: 'x'.repeat(17 * 1024 * 1024), encoding: 'utf8' })).toThrow(RangeError)
  expect(() => calls['text.decode']?.({ encoding: 7 }, null)).toThrow(TypeError)
  expect(() => calls['buffer.decode']?.({ encoding: 'utf8' }, new Uint8Array(17 * 1024 * 1024))).toThrow(RangeError)
  expect(() => calls['url.parse']?.({ href: { toString: () => 'https://a.test' } })).toThrow(TypeError)
  expect(calls['url.set']?.({ href: 'https://a.test/', name: 'constructor', value: 'x' })).toMatchObject({
    href: 'https://a.test/',
  })
})
