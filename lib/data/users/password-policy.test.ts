import { describe, expect, it } from 'vitest'
import { loadCommonPasswords } from './common-passwords'
import { MAX_PASSWORD_LENGTH } from './password'
import { PASSWORD_LEVELS, type PasswordOptions } from './password-options'
import { describePolicy, judgePassword, type PersonalData, policyOf } from './password-policy'
import { describeRules } from './password-rules'

const common = await loadCommonPasswords()
const judge = (options: PasswordOptions, password: string, person: PersonalData = {}) =>
  judgePassword(policyOf(options), password, person, common)
const rulesOf = (options: PasswordOptions) => describePolicy(policyOf(options)).map(({ code }) => code)

describe('a level', () => {
  it.each([
    ['none', 'a', ''],
    ['low', 'abcdef', 'abcde'],
    ['fair', 'Abcdefg1', 'Abcdefgh'],
    ['good', 'Abcdefg1', 'Abcdefgh'],
    ['good', 'abcdef1!', 'abcdefg1'],
    ['excellent', 'Abcdefgh1!', 'Abcdefg1!'],
    ['excellent', 'Aabbccdd11', 'Aabbccddd1'],
  ] as const)('%s takes %j and not %j', (passwordPolicy, good, bad) => {
    expect(judge({ passwordPolicy }, good)).toBeNull()
    expect(judge({ passwordPolicy }, bad)).toMatchObject({ kind: 'strength' })
  })

  it('has rules that an SDK can show', () => {
    expect(PASSWORD_LEVELS.map((passwordPolicy) => rulesOf({ passwordPolicy }))).toEqual([
      ['nonEmpty'],
      ['lengthAtLeast'],
      ['lengthAtLeast', 'shouldContain'],
      ['lengthAtLeast', 'containsAtLeast'],
      ['lengthAtLeast', 'containsAtLeast', 'identicalChars'],
    ])
    expect(describeRules(describePolicy(policyOf({ passwordPolicy: 'excellent' })))).toBe(
      [
        '* At least 10 characters in length',
        '* Contain at least 3 of the following 4 types of characters:',
        ' * lower case letters (a-z)',
        ' * upper case letters (A-Z)',
        ' * numbers (i.e. 0-9)',
        ' * special characters (e.g. !@#$%^&*)',
        '* No more than 2 identical characters in a row (e.g., "aaa" not allowed)',
      ].join('\n'),
    )
  })

  it('says of each item whether it is there', () => {
    expect(judge({ passwordPolicy: 'good' }, 'abcdefg1')).toMatchObject({
      rules: [
        { verified: true },
        {
          verified: false,
          format: [3, 4],
          items: [{ verified: true }, { verified: false }, { verified: true }, { verified: false }],
        },
      ],
    })
  })

  it('is as long as the connection says', () => {
    const options: PasswordOptions = { passwordPolicy: 'low', password_complexity_options: { min_length: 12 } }
    expect(judge(options, 'elevenchars')).toMatchObject({ rules: [{ format: [12], verified: false }] })
    expect(judge(options, 'twelve chars')).toBeNull()
  })

  it('keeps the vendor’s leniency where an import does: common and personal passwords', () => {
    expect(judge({ passwordPolicy: 'low' }, 'password')).toBeNull()
    expect(judge({ passwordPolicy: 'low' }, 'kimberly', { username: 'kimberly' })).toBeNull()
  })
})

describe('a connection that names no level', () => {
  it('asks for eight characters and prescribes no composition', () => {
    expect(rulesOf({})).toEqual(['lengthAtLeast'])
    expect(judge({}, 'sevench')).toMatchObject({ kind: 'strength' })
    expect(judge({}, 'all lower case')).toBeNull()
  })

  it('counts characters, not halves of them', () => {
    expect(judge({}, '🔑🔑🔑🔑')).toMatchObject({ kind: 'strength' })
    expect(judge({}, '🔑🗝🔒🔓🚪🏠👤👥')).toBeNull()
  })

  it.each(['password1', 'PASSWORD1', 'football', 'iloveyou'])('refuses %s, which is common', (password) => {
    expect(judge({}, password)).toEqual({ kind: 'dictionary' })
  })

  it('may switch either off', () => {
    expect(judge({ password_dictionary: { enable: false, dictionary: [] } }, 'password1')).toBeNull()
    expect(judge({ password_no_personal_info: { enable: false } }, 'i am kimberly', { name: 'Kimberly' })).toBeNull()
  })
})

describe('the dictionary', () => {
  it('has ten thousand words, and those of the connection, in any case', () => {
    expect(common.size).toBe(10_000)
    const options: PasswordOptions = {
      passwordPolicy: 'low',
      password_dictionary: { enable: true, dictionary: ['Latchkey'] },
    }
    expect(judge(options, 'LATCHKEY')).toEqual({ kind: 'dictionary' })
    expect(judge(options, 'latchkeys')).toBeNull()
  })
})

describe('the address of the account', () => {
  const person = { email: 'jo@company-name.example' }

  it.each(['jo@company-name.example', 'JO@Company-Name.EXAMPLE', ' jo@company-name.example ', 'JO'])(
    '%j is no password, whatever level the connection names',
    (password) => {
      const levels = [{}, { passwordPolicy: 'none' }, { passwordPolicy: 'low' }] as const
      for (const options of levels) {
        const least = { ...options, password_complexity_options: { min_length: 1 } }
        expect(judge(least, password, person)).toEqual({ kind: 'personal' })
      }
    },
  )

  it('is one where the connection says that personal data is allowed', () => {
    const allowed = { passwordPolicy: 'none', password_no_personal_info: { enable: false } } as const
    expect(judge(allowed, 'jo@company-name.example', person)).toBeNull()
  })

  it('an account without an address has no address to compare with', () => {
    expect(judge({ passwordPolicy: 'none' }, 'x', { email: null })).toBeNull()
  })
})

describe('personal data', () => {
  it.each<[string, PersonalData]>([
    ['the name', { name: 'Kimberly Lee' }],
    ['the whole name', { name: 'kimberly lee-x' }],
    ['the username', { username: 'Kimberly' }],
    ['the nickname', { nickname: 'kimberly' }],
    ['the first half of the address', { email: 'kimberly@mail.test' }],
    ['user_metadata.name', { metadata: { name: 'Kimberly' } }],
    ['user_metadata.first', { metadata: { first: 'Kimberly' } }],
    ['user_metadata.last', { metadata: { last: 'Kimberly' } }],
  ])('a password with personal data is refused: %s', (_, person) => {
    expect(judge({}, 'xx Kimberly Lee-x 99', person)).toEqual({ kind: 'personal' })
  })

  it('is not two letters, another member, or no text', () => {
    expect(judge({}, 'holiday in spain', { name: 'Al In', email: 'ho@mail.test' })).toBeNull()
    expect(judge({}, 'holiday in spain', { metadata: { plan: 'holiday', first: 7, last: null } })).toBeNull()
  })
})

it('refuses untypeable characters, and names that rule only then', () => {
  expect(judge({}, 'x y'.repeat(300))).toBeNull()
  expect(judge({}, 'x'.repeat(MAX_PASSWORD_LENGTH + 1))).toMatchObject({
    rules: [
      { code: 'lengthAtLeast', verified: true },
      { code: 'maxLength', format: [MAX_PASSWORD_LENGTH], verified: false },
    ],
  })
})
