// docs/conformance.md names tests, which must exist.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/conformance.md', 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Module'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

it('reads the table', () => {
  expect(rows.length).toBeGreaterThan(60)
})

it.each(rows.map(([, module = '', file = '', test = '', remark = '']) => ({ module, file, test, remark })))(
  '$module',
  ({ file, test, remark }) => {
    if (file === '') return expect(remark).toMatch(/^gap: /)
    const source = readFileSync(file.replaceAll('`', ''), 'utf8')
    expect(source.includes(`'${test}`) || source.includes(`"${test}`)).toBe(true)
  },
)
