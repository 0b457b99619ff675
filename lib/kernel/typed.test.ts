import { describe, expect, it } from 'vitest'
import { readCode, readNumber } from './typed'

/** A word in another script's digits, the first of which is `zero`. */
const inDigits = (zero: number, text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

const SCRIPTS = {
  fullWidth: 0xff10,
  arabic: 0x660,
  persian: 0x6f0,
  devanagari: 0x966,
  thai: 0xe50,
  bold: 0x1d7ce,
  segmented: 0x1fbf0,
}

describe('a code', () => {
  it.each(Object.entries(SCRIPTS))('has %s digits', (_name, zero) => {
    expect(readCode(inDigits(zero, '0123456789'))).toBe('0123456789')
  })

  it.each([
    ['blanks', ' 123 456\t'],
    ['no-break spaces', '123\u00a0456\u202f'],
    ['thin and ideographic spaces', '\u2009123\u3000456'],
    ['a line break', '123\r\n456'],
    ['dashes', '123-456\u2010\u2013\u2014\u2212\uff0d\ufe63\u30fc\uff70'],
    ['direction marks', '\u200e\u202a123\u2066456\u2069\u202c'],
    ['zero-width characters', '\ufeff1\u200b2\u200c3\u200d4\u20605\u00ad6'],
    ['keycaps', '1\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e3456'],
    ['points and quotes', '“123.456”.'],
  ])('is read among %s', (_name, typed) => {
    expect(readCode(typed)).toBe('123456')
  })

  it.each([
    ['abcd-efgh', 'ABCDEFGH'],
    ['ＡＢｃｄ　ｅｆｇｈ', 'ABCDEFGH'],
    ['jbsw y3dp ehpk 3pxp====', 'JBSWY3DPEHPK3PXP'],
  ])('%s has letters without case', (typed, code) => {
    expect(readCode(typed)).toBe(code)
  })

  it('keeps a letter that does not belong', () => {
    expect(readCode('12345x6')).toBe('12345X6')
    expect(readCode('12345６七')).toBe('123456七')
  })

  it('has an end', () => {
    expect(readCode(`${'1'.repeat(10_000)}`).length).toBeLessThan(300)
  })
})

describe('a number', () => {
  it.each([
    ['\u202a+49\u00a0170\u20111234567\u202c', '+49 170-1234567'],
    ['＋４９　１７０ー１２３４５６７', '+49 170-1234567'],
    [inDigits(0x660, '+966 50 123 4567'), '+966 50 123 4567'],
  ])('%s keeps its signs', (typed, number) => {
    expect(readNumber(typed)).toBe(number)
  })
})
