// What a text says without being run. It is read at each opening of a tenant, so each character is read once.
import { describe, expect, it } from 'vitest'
import { modulesIn, withoutComments, withoutTexts } from './source'

it('reads texts and comments', () => {
  const code = `const a = 'it\\'s', b = "//", c = \`/*\` // don't require('x')\n/* require("y") */ require('z')`
  expect(withoutComments(code)).toBe(`const a = 'it\\'s', b = "//", c = \`/*\`  \n  require('z')`)
  expect(withoutTexts(withoutComments(code))).toBe(`const a = '', b = '', c = ''  \n  require('')`)
  expect(modulesIn(code)).toEqual(['z'])
})

it('continues a text after a backslash at the end of a line', () => {
  expect(withoutTexts(`f('a\\\nb') + "c\\\nd"`)).toBe(`f('') + ''`)
})

// One match to the end of what is open: were it none, the search would begin again at each of the quotes in it.
describe('what is open', () => {
  const LONG = 50_000

  it.each(["'", '"', '`'])('is one text after %s', (quote) => {
    const open = `const r = /${quote}${`\\${quote}`.repeat(LONG)}`
    expect(withoutTexts(open)).toBe("const r = /''")
    expect(withoutComments(open)).toBe(open)
  })

  it.each(["'", '"'])('ends with the line after %s', (quote) => {
    expect(withoutTexts(`/${quote}/.test(a)\nrequire(b)`)).toBe("/''\nrequire(b)")
    expect(modulesIn(`/${quote}/.test(a)\nrequire('b') // require('c')`)).toEqual(['b'])
  })

  it('is one comment', () => {
    expect(withoutComments(`require('a') ${'/* '.repeat(LONG)}`)).toBe("require('a')  ")
  })
})
