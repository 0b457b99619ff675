// What scripts need of npm, by the text of their `require` calls.
import { expect, it } from 'vitest'
import { type Dependency, faultOfNeed } from '../packages/need'
import { namesIn, needOfScripts, needOfVersions, withoutVersions } from './packages'

it('are what they require, at the version that they name or the one of the table', () => {
  const scripts = [
    `function () { require('pg'); require("@scope/name@1.2.3/sub"); require('left-pad') }`,
    `async () => { const a = require( 'pg@8.0.0' ); require(\`lodash/fp\`) } // require('comment')`,
  ]
  expect(needOfScripts(scripts)).toEqual({
    dependencies: [
      { name: 'pg', version: '8.0.0' },
      { name: '@scope/name', version: '1.2.3' },
      { name: 'left-pad' },
      { name: 'lodash', version: '4.17.21' },
    ],
    entries: ['@scope/name/sub', 'left-pad', 'lodash/fp', 'pg'],
  })
})

it('have the version that any of them names, and what is declared', () => {
  const scripts = ["() => require('pg')", "() => require('pg@8.0.0')", "() => require('uuid/v4')"]
  const declared = [{ name: 'uuid', version: '3.4.0' }, { name: 'left-pad' }]
  expect(needOfScripts(scripts, declared)).toEqual({
    dependencies: [{ name: 'uuid', version: '3.4.0' }, { name: 'left-pad' }, { name: 'pg', version: '8.0.0' }],
    entries: ['left-pad', 'pg', 'uuid/v4'],
  })
  expect(needOfVersions(scripts, declared)).toEqual(needOfScripts(scripts, declared))
})

it('have the first of two versions, or cannot be built', () => {
  const two = ["() => require('pg@8.0.0')", "() => require('pg')", "() => require('pg@7.0.0/lib')"]
  const fault = (scripts: string[], declared: Dependency[] = []) =>
    faultOfNeed(needOfVersions(scripts, declared) ?? expect.fail('they need nothing'))
  expect(needOfScripts(two)?.dependencies).toEqual([{ name: 'pg', version: '8.0.0' }])
  expect(fault(two.slice(0, 2))).toBeNull()
  expect(fault(two)).toContain('pg 7.0.0 beside pg 8.0.0')
  expect(fault(two.slice(0, 1), [{ name: 'pg', version: '^8' }])).toContain('pg 8.0.0 beside pg ^8')
})

it('have no version by a name that every object has', () => {
  expect(needOfScripts(["() => [require('constructor'), require('toString/x')]"])).toEqual({
    dependencies: [{ name: 'constructor' }, { name: 'toString' }],
    entries: ['constructor', 'toString/x'],
  })
})

it('are none for modules of Node.js and what the server has or lacks', () => {
  expect(needOfScripts([`() => [require('crypto'), require('node:fs'), require('bcrypt'), require('fs')]`])).toBeNull()
})

it('have one version when they run', () => {
  const script = `() => [require('pg@8.0.0'), require( "@a/b@1/c" ), require('crypto'), require(name), 'pg@8.0.0']`
  expect(withoutVersions(script)).toBe(
    `() => [require('pg'), require( "@a/b/c" ), require('crypto'), require(name), 'pg@8.0.0']`,
  )
  expect(namesIn(script)).toEqual(['pg', '@a/b'])
})
