import { describe, expect, it } from 'vitest'
import { faultOfNeed, ofRegistry } from './need'

const faultOf = (name: string, version?: string) => faultOfNeed({ dependencies: [{ name, version }], entries: [] })

describe('a dependency', () => {
  it.each([
    ['lodash', undefined],
    ['request', '2.88.2'],
    ['lodash', '4.17.21'],
    ['lodash', 'latest'],
    ['lodash', '^4.17.0 || ~3 || >=2.1.0 <3'],
    ['lodash', '~4.17.0'],
    ['lodash', '4.x'],
    ['lodash', '*'],
    ['lodash', '1.0.0-beta.1+build'],
    ['@panva/hkdf', '1.2.1'],
    ['JSONStream', '1.3.5'],
    ['ipaddr.js', '2.2.0'],
  ])('is taken: %s@%s', (name, version) => {
    expect(faultOf(name, version)).toBeNull()
  })

  it.each([
    'file:../../etc',
    './local',
    '../local',
    '/etc/passwd',
    '~/package',
    'C:\\package',
    'git://github.com/a/b',
    'git+ssh://git@github.com/a/b',
    'github:a/b',
    'a/b',
    'https://packages.test/a.tgz',
    'http://169.254.169.254/latest',
    'npm:other@1',
    'link:../a',
    'workspace:*',
    'a.tgz',
    '.',
    '',
    '1\n2',
    '1'.repeat(101),
  ])('is refused with the version %j', (version) => {
    expect(faultOf('lodash', version)).toContain('no version, range or tag of lodash')
  })

  it.each([
    '--registry=http://evil.test',
    '-g',
    '../x',
    './x',
    '/etc',
    'a/b',
    '@scope',
    '@/a',
    '@../a',
    '.hidden',
    '_under',
    'https://evil.test',
    'a b',
    'a@1',
    'a\\b',
    'node_modules',
    'node:fs',
    '',
    'a'.repeat(215),
  ])('is refused with the name %j', (name) => {
    expect(faultOf(name)).toContain('is no name of a package')
  })

  it.each([
    ['argon2', 'use bcryptjs'],
    ['sharp', 'it is native'],
  ])('is refused by name: %s', (name, why) => {
    expect(faultOf(name)).toContain(why)
  })
})

describe('what an action needs', () => {
  const needed = (names: string[], entries: string[]) =>
    ofRegistry(
      names.map((name) => ({ name })),
      entries,
    )

  it('leaves out what the server has in place of a package', () => {
    expect(needed(['bcrypt', 'lodash'], ['lodash', 'bcrypt', 'lodash'])).toEqual({
      dependencies: [{ name: 'lodash' }],
      entries: ['lodash'],
    })
    expect(faultOfNeed(needed(['bcryptjs'], ['bcryptjs']))).toContain('no packages')
  })

  it('is thirty packages at most, with those of its modules', () => {
    const names = Array.from({ length: 31 }, (_, index) => `p${index}`)
    expect(faultOfNeed(needed(names, []))).toContain('at most 30')
    expect(faultOfNeed(needed(names.slice(1), names.slice(1)))).toBeNull()
  })

  it('is of its dependencies alone', () => {
    expect(faultOfNeed(needed(['date-fns', '@a/b'], ['date-fns/format', '@a/b/c.js']))).toBeNull()
    expect(faultOfNeed(needed(['date-fns'], ['lodash']))).toContain('of no dependency')
    expect(faultOfNeed(needed(['@a/b'], ['@a/c']))).toContain('of no dependency')
  })

  it.each(['date-fns/../../package.json', 'date-fns/', 'date-fns//x', 'date-fns/./x', "date-fns/'", 'date-fns/\u0000'])(
    'names no path like %j',
    (entry) => {
      expect(faultOfNeed(needed(['date-fns'], [entry]))).toContain('is no module of a package')
    },
  )
})
