import { describe, expect, it } from 'vitest'
import { toClient } from '../../../data/clients/client'
import type { ClaimRule } from '../../../data/tenants/claim-rule'
import type { User } from '../../../data/users/user'
import { compileRules } from './compile'
import { ExpressionError, readExpression } from './expression'
import type { ClaimRuleSubject } from './facts'
import { claimNameProblem } from './name'

const CLAIM = 'https://acme.example/claim'

const USER: User = {
  id: 'auth0|1',
  email: 'ada@acme.example',
  recoveryEpoch: '0',
  factorWantedAt: null,
  emailVerified: true,
  username: null,
  phoneNumber: null,
  phoneVerified: false,
  name: 'Ada',
  givenName: null,
  familyName: null,
  nickname: null,
  picture: null,
  profile: {},
  userMetadata: { level: 3, share: 1.5, tags: ['a', 'b'], constructor: 'mine', __proto__: null },
  appMetadata: { team: 'blue', plan: { name: 'gold', seats: 5 }, nothing: null },
  blocked: false,
  updatedAt: new Date('2026-01-02T03:04:05Z'),
}

const CLIENT = toClient({
  clientId: 'web',
  name: 'Web',
  secretDigest: null,
  settings: { client_metadata: { tier: 'one' } },
})

const about = (change: Partial<ClaimRuleSubject> = {}): ClaimRuleSubject => ({
  user: USER,
  roles: ['admin', 'clerk'],
  client: CLIENT,
  organization: null,
  request: {
    ip: '192.0.2.1',
    protocol: 'oidc-basic-profile',
    audience: 'https://api',
    scopes: ['openid'],
    methods: ['pwd'],
  },
  ...change,
})

const rule = (change: Partial<ClaimRule>): ClaimRule => ({
  name: 'Rule',
  claim: CLAIM,
  value: 'true',
  tokens: ['id_token', 'access_token'],
  ...change,
})

function evaluate(rules: Partial<ClaimRule>[], subject = about()) {
  const notes: string[] = []
  const compiled = compileRules(rules.map(rule), (...note) => notes.push(note.join(' ')))
  return { claims: compiled.evaluate(subject), notes, readsRoles: compiled.readsRoles }
}

const evaluated = (value: string, subject?: ClaimRuleSubject) => evaluate([{ value }], subject).claims.id_token[CLAIM]

describe('the value of a rule', () => {
  it.each([
    ['user.email', 'ada@acme.example'],
    ['user.roles', ['admin', 'clerk']],
    ['"admin" in user.roles', true],
    ['user.app_metadata.team + "/" + client.name', 'blue/Web'],
    ['user.app_metadata.plan', { name: 'gold', seats: 5 }],
    ['user.user_metadata.level + 1', 4],
    ['user.user_metadata.level > 2.5', true],
    ['user.user_metadata.share', 1.5],
    ['user.user_metadata.tags.map(tag, tag + "!")', ['a!', 'b!']],
    ['user.user_metadata.tags.filter(tag, tag in ["b"])', ['b']],
    ['user.user_metadata.constructor', 'mine'],
    ['user.user_metadata[?"missing"].orValue("none")', 'none'],
    ['user.user_metadata.?missing.orValue("none")', 'none'],
    ['has(user.username) ? user.username : user.name', 'Ada'],
    ['user.email.substring(user.email.indexOf("@") + 1)', 'acme.example'],
    ['user.updated_at', '2026-01-02T03:04:05.000Z'],
    ['{"id": user.user_id, "n": [1, "two", 3.5]}', { id: 'auth0|1', n: [1, 'two', 3.5] }],
    ['client.metadata.tier', 'one'],
    ['request.scopes', ['openid']],
    ['request.audience == "https://api" && "pwd" in request.methods', true],
  ])('the expression %s has its value', (value, expected) => {
    expect(evaluated(value)).toEqual(expected)
  })

  it('is in the tokens that the rule names, if its condition holds', () => {
    const { claims } = evaluate([
      { claim: 'a', tokens: ['id_token'] },
      { claim: 'b', tokens: ['access_token'], when: 'request.ip.startsWith("192.0.2.")' },
      { claim: 'c', tokens: ['access_token'], when: 'user.email == "eve@acme.example"' },
      { claim: 'd', tokens: ['assertion'] },
    ])
    expect(claims).toEqual({ id_token: { a: true }, access_token: { b: true }, assertion: { d: true } })
  })

  it('is that of the later of two rules, where both have one', () => {
    const rules = [{ value: '"default"' }, { value: '"special"', when: 'user.app_metadata.team == "blue"' }]
    expect(evaluate(rules).claims.id_token[CLAIM]).toBe('special')
    const red = about({ user: { ...USER, appMetadata: { team: 'red' } } })
    expect(evaluate(rules, red).claims.id_token[CLAIM]).toBe('default')
  })

  it('is nothing, without a word, for a client that acts for itself where the rule is about users', () => {
    const { claims, notes } = evaluate([{ value: 'user.email' }, { claim: 'tier', value: 'client.metadata.tier' }], {
      ...about(),
      user: null,
      roles: null,
    })
    expect(claims.access_token).toEqual({ tier: 'one' })
    expect(notes).toEqual([])
  })
})

describe('a rule that has no value', () => {
  const large = about({
    user: { ...USER, userMetadata: { all: Array.from({ length: 2000 }, (_, index) => index) }, email: null },
  })

  it.each([
    ['a field that is not there', 'user.app_metadata.missing', 'no_such_key'],
    ['a field without a value', 'user.username', 'no_such_key'],
    ['an inherited property', 'user.app_metadata.toString', 'no_such_key'],
    ['a prototype', 'user.app_metadata["__proto__"]', 'no_such_key'],
    ['types that do not meet', 'user.app_metadata.team + 1', 'no_such_overload'],
    ['a division by nothing', '1 / (user.user_metadata.level - 3)', 'division_by_zero'],
    ['an infinite number', '1.0 / 0.0', 'the value is no number'],
    ['a type', 'type(user.email)', 'the value is of a type that a token cannot hold'],
  ])('says nothing and is noted: %s', (_, value, problem) => {
    const { claims, notes } = evaluate([{ value }])
    expect(claims.id_token).toEqual({})
    expect(notes).toEqual([`Rule ${CLAIM} ${problem}`])
  })

  it('is not noted where it is null', () => {
    expect(evaluate([{ value: 'user.app_metadata.nothing' }])).toMatchObject({ claims: { id_token: {} }, notes: [] })
  })

  it('says nothing of metadata that is too large to look through, and nothing that is too long', () => {
    expect(evaluate([{ value: 'user.user_metadata.all.size()' }], large).notes).toEqual([`Rule ${CLAIM} no_such_key`])
    const long = about({ user: { ...USER, userMetadata: { text: 'x'.repeat(5000) } } })
    expect(evaluate([{ value: 'user.user_metadata.text' }], long).notes).toEqual([
      `Rule ${CLAIM} the value is too long`,
    ])
  })

  it('is left out where it cannot be read any more', () => {
    const { claims, notes } = evaluate([{ claim: 'sub' }, { claim: 'a', value: 'user.(' }, { claim: 'b' }])
    expect(claims.id_token).toEqual({ b: true })
    expect(notes).toEqual([expect.stringContaining('Rule sub is reserved'), expect.stringContaining('Rule a ')])
  })

  it('does not keep the others from speaking', () => {
    const { claims } = evaluate([
      { claim: 'bad', value: 'user.username' },
      { claim: 'good', value: 'user.name' },
    ])
    expect(claims.id_token).toEqual({ good: 'Ada' })
  })
})

describe('an expression that cannot be', () => {
  it.each([
    ['user.emial', 'No such key: emial (at character 6)'],
    ['user.email +', 'Unexpected token: EOF (at character 13)'],
    ['usr.email', 'Unknown variable: usr (at character 1)'],
    ['user.email + 1', /no such overload/],
    ['user.email.matches("(a+)+$")', /there is no function matches/],
    ['user.email.split("@")', /there is no function split/],
    ['cel.bind(a, user.email, a + a)', /there is no function bind/],
    ['user.roles.map(a, user.roles.map(b, a + b))', /map must not be within another loop/],
    ['user.roles.exists(a, user.roles.all(b, a == b))', /all must not be within another loop/],
    [Array.from({ length: 200 }, () => '1').join('+'), /./],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, /./],
    ['constructor', /Unknown variable/],
    ['user.constructor', /No such key/],
    ['fetch("https://example.com")', /there is no function fetch/],
  ])('the expression %s is refused with its reason', (source, reason) => {
    expect(() => readExpression(source, 'value')).toThrow(ExpressionError)
    expect(() => readExpression(source, 'value')).toThrow(reason)
  })

  it('is a condition that is neither true nor false', () => {
    expect(() => readExpression('user.email', 'condition')).toThrow('must be true or false, not string')
  })
})

it('asks for roles only where a rule speaks of them', () => {
  expect(evaluate([{ value: 'user.roles' }]).readsRoles).toBe(true)
  expect(evaluate([{ value: 'user.email' }]).readsRoles).toBe(false)
})

describe('the name of a claim', () => {
  it.each(['https://acme.example/roles', 'http://acme/x', 'team', 'urn:acme:team'])('may be %s', (name) => {
    expect(claimNameProblem(name)).toBeNull()
  })

  it.each([
    ['sub', /reserved/],
    ['scope', /reserved/],
    ['permissions', /reserved/],
    ['email', /reserved/],
    ['client_id', /reserved/],
    ['cnf', /reserved/],
    ['https://auth0.com/roles', /vendor/],
    ['https://acme.eu.auth0.com/roles', /vendor/],
    ['HTTPS://ACME.AUTH0.COM./x', /vendor/],
    ['https://example.webtask.io/x', /vendor/],
    ['https://', /no valid address/],
    ['__proto__', /no name/],
    ['constructor', /no name/],
    ['', /1 to 255/],
    ['x'.repeat(256), /1 to 255/],
    ['two words', /printable/],
    ['naïve', /printable/],
  ])('must not be %s', (name, reason) => {
    expect(claimNameProblem(name)).toMatch(reason)
  })
})
