import { expect, it } from 'vitest'
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

it('names the scripts whose packages could not be built', () => {
  const needs = [
    { tenantId: 'main', scripts: 'rules', key: 'a' },
    { tenantId: 'main', scripts: 'the hook Sign-up', key: 'b' },
    { tenantId: 'other', scripts: 'the connection Legacy', key: 'a' },
  ]
  const builds = [
    { tenantId: 'main', key: 'a', failure: 'The registry has no lodahs.' },
    { tenantId: 'main', key: 'b', failure: null },
  ]
  expect(judgeUnbuilt(needs, builds)).toEqual([
    {
      ...{ about: 'packages', health: 'doubtful' },
      says: 'The packages of rules (main) could not be built: The registry has no lodahs.',
    },
  ])
})
