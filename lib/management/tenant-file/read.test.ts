import { describe, expect, it } from 'vitest'
import { TenantFileError } from './model'
import { readTenantFile } from './read'
import { unsetVariable } from './variables'

const read = (text: string, variables: Record<string, string> = {}) => readTenantFile('tenant.yaml', text, variables)

describe('variables', () => {
  it('puts @@NAME@@ in as JSON, with or without quotes around it', () => {
    const text = 'a: @@LIST@@\nb: "@@LIST@@"\nc: \'@@TEXT@@\'\nd: @@TEXT@@\n'
    expect(read(text, { LIST: '["x", "y"]', TEXT: 'say "hi": #1' })).toEqual({
      a: ['x', 'y'],
      b: ['x', 'y'],
      c: 'say "hi": #1',
      d: 'say "hi": #1',
    })
  })

  it('puts ##NAME## in as it is, anywhere in a text', () => {
    expect(
      read('a: https://##ENV##.example.com\nb: [one, ##MORE##]\n', { ENV: 'dev', MORE: '"two", "three"' }),
    ).toEqual({
      a: 'https://dev.example.com',
      b: ['one', 'two', 'three'],
    })
  })

  it('leaves out the line breaks and the byte order mark of the file that held a value', () => {
    const delivered = { A: 'secret\r\n', B: '\ufeffb\n', C: 'one\ntwo\n' }
    expect(readTenantFile('f', 'a: @@A@@\nb: ##B##\nc: @@C@@', delivered)).toEqual({
      a: 'secret',
      b: 'b',
      c: 'one\ntwo',
    })
  })

  it('never reads a value as another marker or as a replacement pattern', () => {
    expect(read('a: @@ONE@@', { ONE: '##TWO## $& $1', TWO: 'no' })).toEqual({ a: '##TWO## $& $1' })
  })

  it('marks what is not set, also where YAML would see a comment', () => {
    const document = read('a: ##MISSING##\nb: x@@GONE@@\n# a ##COMMENT## asks for nothing\n')
    expect(unsetVariable(String(document.a))).toBe('MISSING')
    expect(unsetVariable(String(document.b))).toBe('GONE')
  })
})

describe('the text', () => {
  it('is a map of sections, or empty', () => {
    expect(read('')).toEqual({})
    expect(() => read('- a')).toThrow('tenant.yaml: the file must be a map of sections')
  })

  it('names the line of a mistake', () => {
    expect(() => read('tenant:\n  a: [1\n')).toThrow(/^tenant\.yaml: .* line \d+/)
    expect(() => read('clients: []\nclients: []\n')).toThrow(TenantFileError)
  })

  it('follows anchors and merge keys, but not a bomb of them', () => {
    expect(read('a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n')).toEqual({ a: { x: 1 }, b: { x: 1, y: 2 } })
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [one, other] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => [...pair])) {
      bomb.push(`${other}: &${other} [${Array(9).fill(`*${one}`).join(', ')}]`)
    }
    expect(() => read(bomb.join('\n'))).toThrow('too many YAML aliases')
  })

  it('is bounded', () => {
    expect(() => read(`a: ${'x'.repeat(10_000_001)}`)).toThrow('larger than')
  })

  it('gives a __proto__ key no power', () => {
    const document = read('tenant:\n  __proto__:\n    polluted: true\n')
    expect(Object.getPrototypeOf(document.tenant)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
