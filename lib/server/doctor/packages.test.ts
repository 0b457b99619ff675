import { describe, expect, it } from 'vitest'
import { judgePackages, judgeUnbuilt } from './packages'

const use = (action: string, version = '1.0.0') => ({ tenantId: 'main', action, name: 'leaky', version })
const LEAK = { name: 'leaky', versions: ['1.0.0'], severity: 'high', title: 'Leaks', url: 'https://advisories.test/7' }

it('is well without advisories, and says so quietly where the registry gave no answer', () => {
  expect(judgePackages([use('A'), use('B')], [])).toMatchObject([
    { health: 'well', says: '1 package of actions, without known vulnerabilities.' },
  ])
  expect(judgePackages([use('A'), use('A', '2.0.0')], null)).toMatchObject([
    { health: 'well', says: expect.stringContaining('2 packages of actions, not checked') },
  ])
})

it('names the actions that have a version of an advisory', () => {
  const [finding, ...others] = judgePackages([use('A'), use('B', '2.0.0'), use('C')], [LEAK])
  expect(others).toEqual([])
  expect(finding).toMatchObject({ about: 'packages', health: 'doubtful' })
  expect(finding?.says).toBe(
    'leaky 1.0.0 has a known vulnerability (high): Leaks (https://advisories.test/7). It is in A (main), C (main): build these actions again with a later version.',
  )
})

it('names five actions and counts the others', () => {
  const [finding] = judgePackages(
    Array.from({ length: 7 }, (_, index) => use(`A${index}`)),
    [LEAK],
  )
  expect(finding?.says).toContain('A4 (main) and 2 more:')
})

describe('packages of scripts', () => {
  const needOf = (...names: string[]) => ({ dependencies: names.map((name) => ({ name })), entries: names })
  const build = (names: string[], bundle: string | null = null, failure: string | null = null, tenantId = 'main') => ({
    ...{ tenantId, need: needOf(...names), bundle, failure },
  })
  const says = (...builds: ReturnType<typeof build>[]) =>
    judgeUnbuilt([{ tenantId: 'main', scripts: 'rules', need: needOf('pg') }], builds).map((each) => each.says)

  it('are named where they could not be built, or nothing builds them', () => {
    expect(says(build(['pg'], null, 'The registry has no pg.'))).toEqual([
      'The packages of rules (main) could not be built: The registry has no pg.',
    ])
    const unordered = [
      'The packages of rules (main) are not there, and nothing has ordered them: save one of these scripts again.',
    ]
    expect(says()).toEqual(unordered)
    expect(says(build(['lodash'], 'digest'))).toEqual(unordered)
    expect(says(build(['pg', 'lodash'], 'digest', null, 'other'), build(['pg'], null, null, 'other'))).toEqual(
      unordered,
    )
  })

  it('are not while they are there, with others, or under way', () => {
    expect(says(build(['pg'], 'digest'))).toEqual([])
    expect(says(build(['pg'], null, 'It is gone.'), build(['lodash', 'pg'], 'digest'))).toEqual([])
    expect(says(build(['pg']))).toEqual([])
  })
})
