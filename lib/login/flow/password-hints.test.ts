import { describe, expect, it } from 'vitest'
import type { PasswordOptions } from '../../data/users/password-options'
import { judgePassword, policyOf } from '../../data/users/password-policy'
import { brokenRules, passwordHints } from './password-hints'

const hints = (options: PasswordOptions) => passwordHints(policyOf(options))
const names = (options: PasswordOptions) => hints(options).map(({ rule }) => rule)

describe('the rules that a page lists', () => {
  it.each<[PasswordOptions, string[]]>([
    [{}, ['length', 'common', 'personal']],
    [{ passwordPolicy: 'none' }, []],
    [{ passwordPolicy: 'low' }, ['length']],
    [{ passwordPolicy: 'fair' }, ['length', 'lower', 'upper', 'digit']],
    [{ passwordPolicy: 'good' }, ['length', 'classes']],
    [{ passwordPolicy: 'excellent' }, ['length', 'classes', 'identical']],
    [
      {
        passwordPolicy: 'low',
        password_history: { enable: true, size: 5 },
        password_dictionary: { enable: true, dictionary: [] },
        password_no_personal_info: { enable: true },
      },
      ['length', 'common', 'personal', 'history'],
    ],
  ])('the hints for %j are the rules that apply', (options, expected) => {
    expect(names(options)).toEqual(expected)
  })

  it('carry the numbers that they count to', () => {
    expect(hints({ passwordPolicy: 'excellent' })).toEqual([
      { rule: 'length', count: 10 },
      { rule: 'classes', count: 3 },
      { rule: 'identical', count: 2 },
    ])
    expect(hints({ password_complexity_options: { min_length: 14 } })[0]).toEqual({ rule: 'length', count: 14 })
  })
})

describe('what a refused password broke', () => {
  const broken = (options: PasswordOptions, password: string): string[] => {
    const refusal = judgePassword(policyOf(options), password, { email: 'kim.ito@mail.test' }, new Set(['password123']))
    return refusal ? brokenRules(refusal) : []
  }

  it.each<[PasswordOptions, string, string[]]>([
    [{}, 'a lantern over the harbour', []],
    [{}, 'short', ['length']],
    [{}, 'Password123', ['common']],
    [{}, 'kim.ito is my name', ['personal']],
    [{}, 'x'.repeat(2000), ['max']],
    [{ passwordPolicy: 'none' }, '', ['length']],
    [{ passwordPolicy: 'fair' }, 'UPPER', ['length', 'lower', 'digit']],
    [{ passwordPolicy: 'excellent' }, 'aaab', ['length', 'classes', 'identical']],
  ])('under %j the password %j breaks its rules', (options, password, expected) => {
    expect(broken(options, password)).toEqual(expected)
  })

  it('names the others by their kind', () => {
    expect(brokenRules({ kind: 'history', size: 5 })).toEqual(['history'])
    expect(brokenRules({ kind: 'breached' })).toEqual(['breached'])
  })
})

it('marks broken rules, lists rarely broken ones only then, and ignores unknown ones', () => {
  const policy = policyOf({ passwordPolicy: 'low' })
  expect(passwordHints(policy, ['length', 'breached', 'max', '<script>'])).toEqual([
    { rule: 'length', count: 6, unmet: true },
    { rule: 'breached', unmet: true },
    { rule: 'max', count: 1024, unmet: true },
  ])
})
