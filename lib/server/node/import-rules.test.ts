import { posix } from 'node:path'
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
    expect(violations({ ...clock, 'lib/data/users/user.ts': "import { now } from '../../kernel/clock'" })).toEqual([])
  })

  it.each([
    ['lib/kernel/a.ts', 'lib/data/users/b.ts'],
    ['lib/http/a.ts', 'lib/crypto/keys/b.ts'],
    ['lib/data/users/a.ts', 'lib/http/b.ts'],
    ['lib/data/users/a.ts', 'lib/settings/b.ts'],
    ['lib/data/users/a.ts', 'lib/identity/accounts/b.ts'],
    ['lib/login/a.ts', 'lib/protocols/oidc/b.ts'],
    ['lib/login/a.ts', 'lib/http/b.ts'],
    ['lib/login/a.ts', 'lib/pages/render.tsx'],
    ['lib/login/a.ts', 'lib/server/login-http/b.ts'],
    ['lib/protocols/saml/a.ts', 'lib/http/b.ts'],
    ['lib/protocols/oidc/a.ts', 'lib/protocols/oauth/bearer.ts'],
    ['lib/management/resources/a.ts', 'lib/login/b.ts'],
    ['lib/adapters/store/a.ts', 'lib/login/b.ts'],
    ['lib/adapters/store/sql/a.ts', 'lib/adapters/store/prisma/b.ts'],
    ['lib/server/endpoints/a.ts', 'lib/adapters/store/prisma/b.ts'],
    ['lib/server/endpoints/a.ts', 'lib/server/runtime/b.ts'],
    ['lib/server/runtime/a.ts', 'lib/server/node/b.ts'],
    ['app/a.tsx', 'lib/server/runtime/b.ts'],
    ['app/a.tsx', 'lib/management/resources/b.ts'],
    ['components/a.tsx', 'lib/data/users/b.ts'],
  ])('keep %s from importing %s', (from, to) => {
    const specifier = posix.relative(posix.dirname(from), to.replace(/\.tsx?$/, '')).replace(/^(?!\.)/, './')
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
    ['lib/server/endpoints/a.ts', "import { cookies } from 'next/headers'"],
    ['lib/tokens/a.ts', "import { SignJWT } from 'jose'"],
    ['lib/login/a.tsx', "import { useState } from 'react'"],
    ['lib/server/endpoints/a.ts', "import { Pool } from 'pg'"],
    ['lib/data/users/a.ts', "import { expect } from 'vitest'"],
  ])('know the only places of a package: %s', (path, text) => {
    expect(violations({ [path]: text })).toHaveLength(1)
  })

  it.each([
    'await db.prisma()',
    "pool.query('SELECT 1 FROM client WHERE id = $1')",
    '`INSERT INTO client (id) VALUES ($1)`',
    '`UPDATE "user" SET name = $1`',
    '`DELETE FROM client`',
    'const a = Date.now()',
    'const b = new Date()',
    'Math.random()',
    'process.env.X',
    "await fetch('x')",
  ])('name the line of %s', (code) => {
    expect(violations({ 'lib/data/users/a.ts': `// first\n\n${code}` })).toEqual([expect.stringContaining('a.ts:3 ')])
    expect(violations({ 'lib/data/users/a.test.ts': code })).toEqual([])
  })

  it('read code, not comments', () => {
    expect(violations({ 'lib/data/users/a.ts': '// Date.now()\n/* new Date() */\nnew Date(5)' })).toEqual([])
  })

  it('allow statements about tables in the stores, and elsewhere those that name none', () => {
    expect(violations({ 'lib/adapters/store/sql/a.ts': "pool.query('SELECT 1 FROM client')" })).toEqual([])
    expect(violations({ 'lib/server/runtime/a.ts': "['SELECT 1', 'SELECT extract(epoch FROM now())']" })).toEqual([])
  })

  it('find folders that import each other over others, by types too', () => {
    const down = {
      'lib/data/users/a.ts': "import type { T } from '../tenants/t'",
      'lib/data/tenants/t.ts': "import { o } from '../organizations/o'",
      'lib/data/organizations/o.ts': '',
    }
    expect(violations(down)).toEqual([])
    const [found, ...others] = violations({
      ...down,
      'lib/data/organizations/p.ts': "import type { U } from '../users/u'",
      'lib/data/users/u.ts': '',
    })
    expect(others).toEqual([])
    expect(found).toMatch(/^folders without an order: lib\/data\/organizations, lib\/data\/tenants, lib\/data\/users /)
    expect(found).toContain('lib/data/organizations/p.ts imports lib/data/users/u.ts')
  })

  it('let the files of a folder that is not divided import each other', () => {
    expect(
      violations({
        'lib/login/flow/a.ts': "import { b } from '../forms/b'",
        'lib/login/forms/b.ts': '',
        'lib/login/forms/c.ts': "import { a } from '../flow/a'",
      }),
    ).toEqual([])
  })

  it('find exported types of one name, but not private ones', () => {
    const files = { 'lib/data/users/a.ts': 'export type Verdict = 1', 'lib/login/flow/b.ts': 'type Verdict = 2' }
    expect(violations(files)).toEqual([])
    expect(violations({ ...files, 'lib/login/flow/b.ts': 'export interface Verdict {}' })).toEqual([
      'type Verdict is exported by lib/data/users/a.ts, lib/login/flow/b.ts: give each a name of its own, or share it',
    ])
  })

  it('find circles, of values alone', () => {
    const circle = { 'lib/a/a.ts': "import { b } from './b'", 'lib/a/b.ts': "import { a } from './a'" }
    expect(violations(circle)).toEqual(['circle: lib/a/a.ts → lib/a/b.ts → lib/a/a.ts'])
    expect(violations({ ...circle, 'lib/a/b.ts': "import type { a } from './a'" })).toEqual([])
  })
})
