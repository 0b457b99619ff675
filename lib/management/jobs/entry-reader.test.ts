import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unstorable } from '../../kernel/json'
import { createEntryReader, MAX_ENTRY_BYTES, UnreadableFile } from './entry-reader'

/** The file in pieces that end at these positions. */
function read(file: string | Uint8Array, cuts: readonly number[] = []): unknown[] {
  const bytes = Buffer.from(file as string)
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  const reader = createEntryReader()
  const entries: string[] = []
  let from = 0
  for (const end of ends) {
    entries.push(...reader.push(bytes.subarray(from, end)))
    from = end
  }
  return [...entries, ...reader.end()].map((text) => JSON.parse(text))
}

const storable = (value: unknown): boolean => !/\\u0000|__proto__|\\ud[89a-f]/i.test(JSON.stringify(value))
const entries = fc.array(fc.jsonValue({ maxDepth: 3 }).filter(storable), { minLength: 1, maxLength: 6 })
const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('the entries of a file', () => {
  it('are the elements of a JSON array, wherever its bytes are cut', () => {
    fc.assert(
      fc.property(entries, cuts, fc.constantFrom(undefined, 1, '\t'), (values, at, space) => {
        const given = JSON.parse(JSON.stringify(values))
        expect(read(JSON.stringify(values, null, space), at)).toEqual(given)
        expect(read(`\uFEFF \r\n${JSON.stringify(values)}\n `, at)).toEqual(given)
      }),
    )
  })

  it('are the lines of a file that is no array, wherever its bytes are cut', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.string()).filter(storable), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(objects, cuts, fc.constantFrom('\n', '\r\n', '\n\n \n'), (values, at, end) => {
        const given = JSON.parse(JSON.stringify(values))
        expect(read(values.map((value) => JSON.stringify(value)).join(end), at)).toEqual(given)
        expect(read(`\uFEFF${values.map((value) => `${JSON.stringify(value)}${end}`).join('')}`, at)).toEqual(given)
      }),
    )
  })

  it.each(['', ' \n', '\uFEFF', '[]', ' [ \n ] '])('are empty in %j', (file) => {
    expect(read(file)).toEqual([])
  })

  it('may hold what cannot be stored: the import refuses the entry alone', () => {
    const deep = `${'['.repeat(60)}${']'.repeat(60)}`
    const hard = ['"\\u0000"', '"\\ud800"', '{"__proto__":1}', deep]
    expect(read(`[${hard.join()}]`)).toHaveLength(4)
    expect(read(hard.join('\n'))).toHaveLength(4)
  })

  it('become what cannot be stored where a text is no UTF-8, whichever of them', () => {
    const latin = Buffer.from('[{"name":"Jos\xe9"},', 'latin1')
    const bytes = Buffer.concat([latin, Buffer.from('{"name":"José \ufffd"}]')])
    const [first, second] = read(bytes)
    expect(unstorable(first)).not.toBeNull()
    expect(second).toEqual({ name: 'José \ufffd' })
    expect(unstorable(read(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))[0])).not.toBeNull()
  })

  it.each([
    ['a list that is cut off', '[{}'],
    ['a list that is cut off within a text', '[{"a":"]'],
    ['a comma without an element', '[{},]'],
    ['a comma alone', '[,]'],
    ['two commas', '[1,,2]'],
    ['the wrong bracket', '[1}'],
    ['brackets that cross', '[{"a":[}]]'],
    ['something after the list', '[{}] x'],
    ['a second list', '[{}]\n[{}]'],
    ['a line that is no JSON', '{}\nx'],
    ['bytes outside of texts that are no UTF-8', Buffer.from([0x5b, 0xff, 0x5d])],
    ['an entry without an end', `["${'x'.repeat(MAX_ENTRY_BYTES)}"]`],
    ['a line without an end', `"${'x'.repeat(MAX_ENTRY_BYTES)}"`],
  ])('are refused with %s', (_what, file) => {
    expect(() => read(file)).toThrow(UnreadableFile)
    expect(() => read(file, [1, 2, 3, 5, 7])).toThrow(UnreadableFile)
  })
})
