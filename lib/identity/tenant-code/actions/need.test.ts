import { describe, expect, it } from 'vitest'
import { buildState, covers, keptBuild, keyOf, needOf } from './need'

const lodash = { name: 'lodash', version: '4.17.21' }
const CODE = "const _ = require('lodash'); const format = require('date-fns/format')"
const needed = (action: Parameters<typeof needOf>[0]) => {
  const need = needOf(action)
  return need && { ...need, key: keyOf(need) }
}

describe('what was built for a need', () => {
  const built = { dependencies: [lodash, { name: 'uuid' }], entries: ['lodash', 'lodash/fp', 'uuid'] }

  it.each([
    [{ dependencies: [lodash], entries: ['lodash/fp'] }, true],
    [{ dependencies: [{ name: 'uuid' }], entries: ['uuid'] }, true],
    [{ dependencies: [{ name: 'lodash' }], entries: ['lodash'] }, false],
    [{ dependencies: [{ name: 'lodash', version: '3.0.0' }], entries: ['lodash'] }, false],
    [{ dependencies: [lodash], entries: ['lodash/map'] }, false],
    [{ dependencies: [lodash, { name: 'pg' }], entries: ['lodash'] }, false],
  ])('has all of %j: %s', (need, isCovered) => {
    expect(covers(built, need)).toBe(isCovered)
  })
})

describe('what an action needs of npm', () => {
  it('is nothing without dependencies, or with those that the server has', () => {
    expect(needOf({ code: CODE, dependencies: [] })).toBeNull()
    expect(needOf({ code: "require('bcrypt')", dependencies: [{ name: 'bcrypt' }, { name: 'bcryptjs' }] })).toBeNull()
  })

  it('is its dependencies, and the modules of these that its code requires', () => {
    const dependencies = [lodash, { name: 'date-fns' }, { name: '@panva/hkdf' }]
    expect(needOf({ code: `${CODE}; require('node:crypto'); require("@panva/hkdf")`, dependencies })).toEqual({
      dependencies,
      entries: ['@panva/hkdf', 'date-fns/format', 'lodash'],
    })
  })

  it('is a package as a whole where the code names no part of it, or names it too', () => {
    const entriesOf = (code: string) => needOf({ code, dependencies: [lodash] })?.entries
    expect(entriesOf('require(name)')).toEqual(['lodash'])
    expect(entriesOf("require('lodash/fp'); require('lodash')")).toEqual(['lodash', 'lodash/fp'])
    expect(entriesOf("require('lodash/fp')")).toEqual(['lodash/fp'])
  })

  it('is the same for another order of the dependencies, and for other code that requires the same', () => {
    const one = needed({ code: CODE, dependencies: [lodash, { name: 'date-fns' }] })
    expect(needed({ code: `${CODE}; exports.a = 1`, dependencies: [{ name: 'date-fns' }, lodash] })?.key).toBe(one?.key)
    expect(needed({ code: CODE, dependencies: [{ name: 'lodash' }, { name: 'date-fns' }] })?.key).not.toBe(one?.key)
    expect(needed({ code: "require('lodash/fp')", dependencies: [lodash, { name: 'date-fns' }] })?.key).not.toBe(
      one?.key,
    )
  })

  it('is not what a comment requires', () => {
    expect(needOf({ code: "// require('lodash/fp')", dependencies: [lodash] })?.entries).toEqual(['lodash'])
  })
})

describe('the build of an action', () => {
  const action = { code: "require('lodash')", dependencies: [lodash] }
  const key = needed(action)?.key ?? ''

  it('is done where nothing is needed, or the bundle is of this need', () => {
    expect(buildState({ code: '', dependencies: [] })).toBe('built')
    expect(buildState({ ...action, bundle: 'b', built_for: key })).toBe('built')
    expect(buildState({ ...action, bundle: 'b', built_for: 'other' })).toBe('building')
    expect(buildState(action)).toBe('building')
    expect(buildState({ ...action, built_for: key, build_failure: 'no' })).toBe('failed')
  })

  it('is kept for the same need alone', () => {
    const built = { bundle: 'b', built_for: key }
    expect(keptBuild(action, built)).toEqual(built)
    expect(keptBuild({ ...action, dependencies: [{ name: 'lodash' }] }, built)).toEqual({})
    expect(keptBuild({ ...action, dependencies: [] }, built)).toEqual({})
    expect(keptBuild(action, { built_for: key, build_failure: 'no' })).toEqual({ built_for: key, build_failure: 'no' })
  })
})
