import { expect, it } from 'vitest'
import { csvLine } from './csv'

it.each([
  ['=1+1', `"'=1+1"`],
  ['+49 30 1234', `"'+49 30 1234"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  [' =1', `"' =1"`],
  ['\r=1', `"'\r=1"`],
])('the cell %j is no formula of a spreadsheet', (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`)
})

it('quotation marks, commas and line ends stay within their cell', () => {
  expect(csvLine(['a "b", c', 'd\ne', ''])).toBe('"a ""b"", c","d\ne",""\r\n')
})
