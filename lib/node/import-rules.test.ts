import { describe, expect, it } from 'vitest'
import { findViolations } from './launch/rules.mjs'
import { readFacts } from './launch/source-facts.mjs'

/** The violations in a checkout with only these files. */
function violations(files: Record<string, string>): string[] {
  const exists = (path: string): boolean => path in files
  return findViolations(Object.entries(files).map(([path, text]) => readFacts(path, text, exists)))
}

const clock = { 'lib/kernel/clock.ts': '' }

describe('the import rules', () => {
  it('let layers import downwards', () => {
    expect(violations({ ...clock, 'lib/users/user.ts': "import { now } from '../kernel/clock'" })).toEqual([])
  })

  it.each([
    ['lib/kernel/a.ts', 'lib/users/b.ts', '../users/b'],
    ['lib/users/a.ts', 'lib/http/b.ts', '../http/b'],
    ['lib/login/a.ts', 'lib/protocols/oidc/b.ts', '../protocols/oidc/b'],
    ['lib/login/a.ts', 'lib/http/b.ts', '../http/b'],
    ['lib/login/a.ts', 'lib/login-http/b.ts', '../login-http/b'],
    ['lib/protocols/saml/a.ts', 'lib/http/b.ts', '../../http/b'],
    ['lib/protocols/oidc/a.ts', 'lib/oauth/bearer.ts', '../../oauth/bearer'],
    ['lib/endpoints/a.ts', 'lib/store/prisma/b.ts', '../store/prisma/b'],
    ['app/a.tsx', 'lib/runtime/b.ts', '../lib/runtime/b'],
  ])('keep %s from importing %s', (from, to, specifier) => {
    expect(violations({ [from]: `import { x } from '${specifier}'`, [to]: '' })).toHaveLength(1)
    expect(violations({ [from]: `export * from '${specifier}'`, [to]: '' })).toHaveLength(1)
    expect(violations({ [from]: `const x = await import('${specifier}')`, [to]: '' })).toHaveLength(1)
  })

  it('let a component name the types of its view, not its values', () => {
    const view = { 'lib/pages/view.ts': '' }
    expect(violations({ ...view, 'components/a.tsx': "import type { V } from '../lib/pages/view'" })).toEqual([])
    expect(violations({ ...view, 'components/a.tsx': "import { type V } from '../lib/pages/view'" })).toEqual([])
    expect(violations({ ...view, 'components/a.tsx': "import { V } from '../lib/pages/view'" })).toHaveLength(1)
  })

  it('let the list of screens load components late, not with itself', () => {
    const component = { 'components/a.tsx': '' }
    const list = (text: string) => violations({ ...component, 'lib/pages/screens.ts': text })
    expect(list("const load = () => import('../../components/a')")).toEqual([])
    expect(list("import { A } from '../../components/a'")).toHaveLength(1)
    expect(
      violations({ ...component, 'lib/pages/view.ts': '', 'lib/login/a.ts': "import('../../components/a')" }),
    ).toHaveLength(1)
  })

  it.each([
    ['lib/endpoints/a.ts', "import { cookies } from 'next/headers'"],
    ['lib/tokens/a.ts', "import { SignJWT } from 'jose'"],
    ['lib/login/a.tsx', "import { useState } from 'react'"],
    ['lib/endpoints/a.ts', "import { Pool } from 'pg'"],
    ['lib/users/a.ts', "import { expect } from 'vitest'"],
  ])('know the only places of a package: %s', (path, text) => {
    expect(violations({ [path]: text })).toHaveLength(1)
  })

  it.each(['const a = Date.now()', 'const b = new Date()', 'Math.random()', 'process.env.X', "await fetch('x')"])(
    'name the line of %s',
    (code) => {
      expect(violations({ 'lib/users/a.ts': `// first\n\n${code}` })).toEqual([expect.stringContaining('a.ts:3 ')])
      expect(violations({ 'lib/users/a.test.ts': code })).toEqual([])
    },
  )

  it('read code, not comments', () => {
    expect(violations({ 'lib/users/a.ts': '// Date.now()\n/* new Date() */\nnew Date(5)' })).toEqual([])
  })

  it('find two folders that import each other, by types too', () => {
    const down = { 'lib/tokens/a.ts': "import type { U } from '../users/u'", 'lib/users/u.ts': '' }
    expect(violations(down)).toEqual([])
    expect(
      violations({ ...down, 'lib/users/b.ts': "import type { T } from '../tokens/t'", 'lib/tokens/t.ts': '' }),
    ).toEqual(['mutual: lib/tokens/a.ts imports lib/users/u.ts, lib/users/b.ts imports lib/tokens/t.ts'])
  })

  it('find circles, of values alone', () => {
    const circle = { 'lib/a/a.ts': "import { b } from './b'", 'lib/a/b.ts': "import { a } from './a'" }
    expect(violations(circle)).toEqual(['circle: lib/a/a.ts → lib/a/b.ts → lib/a/a.ts'])
    expect(violations({ ...circle, 'lib/a/b.ts': "import type { a } from './a'" })).toEqual([])
  })
})
