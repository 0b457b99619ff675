import { describe, expect, it } from 'vitest'
import { readTree } from './tree'

const ORIGINS = ['https://registry.test']
const INTEGRITY = `sha512-${'A'.repeat(86)}==`
const honest = { version: '1.0.0', resolved: 'https://registry.test/a/-/a-1.0.0.tgz', integrity: INTEGRITY }
const treeOf = (packages: Record<string, unknown>) =>
  readTree(JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } }), ORIGINS)
const withA = (more: Record<string, unknown>) => () => treeOf({ 'node_modules/a': { ...honest, ...more } })

describe('the recorded packages', () => {
  it('have name, version and integrity, where they lie', () => {
    const nested = treeOf({ 'node_modules/a': honest, 'node_modules/@s/b/node_modules/a': honest })
    expect(nested).toEqual([
      { location: 'node_modules/a', name: 'a', version: '1.0.0', integrity: INTEGRITY },
      { location: 'node_modules/@s/b/node_modules/a', name: 'a', version: '1.0.0', integrity: INTEGRITY },
    ])
  })

  it('are without those that are optional, which npm does not install', () => {
    expect(treeOf({ 'node_modules/a': { ...honest, optional: true, resolved: 'git+ssh://a' } })).toEqual([])
  })

  it('have their own name where another package calls them differently', () => {
    const dependencies = { 'a-legacy': 'npm:a@^1', 'b-legacy': 'npm:@s/b' }
    const [found] = treeOf({ 'node_modules/a-legacy': { ...honest, name: 'a', dependencies } })
    expect(found).toMatchObject({ location: 'node_modules/a-legacy', name: 'a' })
  })

  it.each([
    ['links', { link: true, resolved: '../../etc' }, 'a link'],
    ['packages that others bring along', { inBundle: true }, 'brings it along'],
    ['another server', { resolved: 'https://evil.test/a.tgz' }, 'not from the registry'],
    ['another port', { resolved: 'https://registry.test:8443/a.tgz' }, 'not from the registry'],
    ['files', { resolved: 'file:../a.tgz' }, 'not from the registry'],
    ['git', { resolved: 'git+ssh://git@github.com/a/b.git#0123' }, 'not from the registry'],
    ['no source', { resolved: undefined }, 'not from the registry'],
    ['no integrity', { integrity: undefined }, 'no integrity'],
    ['an empty integrity', { integrity: '' }, 'no integrity'],
    ['no version', { version: undefined }, 'no integrity'],
  ])('are refused with %s', (_, more, why) => {
    expect(withA(more)).toThrow(why)
  })

  it.each([
    'git+https://x/y',
    'file:..',
    'https://evil.test/b.tgz',
    'github:a/b',
    'a/b',
    './b',
    'b.tgz',
    'npm:a@file:..',
    'npm:../b',
  ])('are refused if they need another package from %s', (spec) => {
    expect(withA({ dependencies: { b: spec } })).toThrow('it needs b from elsewhere')
    expect(withA({ peerDependencies: { b: spec } })).toThrow('it needs b from elsewhere')
  })

  it.each([
    '../outside',
    'elsewhere/a',
    'node_modules/..',
    'node_modules/a/../../b',
    'node_modules/a/',
    '/node_modules/a',
  ])('a package outside node_modules is refused: %s', (location) => {
    expect(() => treeOf({ [location]: honest })).toThrow('a link')
  })

  it('are two thousand at most', () => {
    const many = Array.from({ length: 2001 }, (_, index) => [`node_modules/p${index}`, honest])
    expect(() => treeOf(Object.fromEntries(many))).toThrow('more than 2000')
  })
})
