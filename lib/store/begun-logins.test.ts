import { expect, it } from 'vitest'
import { digest } from '../kernel/secret'
import { createBegunLogins } from './begun-logins'

const AT = new Date('2026-11-22T00:00:00Z')
const TEXTS = { origin: '{"protocol":"oidc","request":{"scopes":["openid"]}}', wants: '{"scopes":[]}', decisions: '{}' }
const keyOf = (number: number) => digest(`login ${number}`)
const keep = (begun: ReturnType<typeof createBegunLogins>, number: number, texts = TEXTS) =>
  begun.keep({ handleDigest: keyOf(number), browserDigest: digest('browser'), createdAt: AT, expiresAt: AT }, texts)

it('tells a login as it began, to one page and one form', () => {
  const begun = createBegunLogins()
  keep(begun, 1)
  const told = begun.recall(keyOf(1), 'page')
  expect(told).toEqual({
    handleDigest: keyOf(1),
    origin: { protocol: 'oidc', request: { scopes: ['openid'] } },
    wants: { scopes: [] },
    browserDigest: digest('browser'),
    userId: null,
    evidence: [],
    decisions: {},
    revision: 0,
    createdAt: AT,
    expiresAt: AT,
    consumedAt: null,
  })
  told?.wants.scopes.push('changed by who asked')
  expect(begun.recall(keyOf(1), 'page')).toBeNull()
  expect(begun.recall(keyOf(1), 'form')?.wants).toEqual({ scopes: [] })
  expect(begun.recall(keyOf(1), 'form')).toBeNull()
  keep(begun, 2)
  expect(begun.recall(keyOf(2), 'form')).not.toBeNull()
  expect(begun.recall(keyOf(2), 'page')).toBeNull()
})

it('knows nothing of others, and forgets when told to', () => {
  const begun = createBegunLogins()
  keep(begun, 1)
  expect(begun.recall(keyOf(2), 'form')).toBeNull()
  begun.forget(keyOf(2))
  begun.forget(keyOf(1))
  expect(begun.recall(keyOf(1), 'form')).toBeNull()
})

it('keeps a thousand, the newest', () => {
  const begun = createBegunLogins()
  for (let number = 0; number < 2_500; number++) keep(begun, number)
  const told = Array.from({ length: 2_500 }, (_, number) => begun.recall(keyOf(number), 'page') !== null)
  expect(told.indexOf(true)).toBe(1_500)
  expect(told.filter(Boolean)).toHaveLength(1_000)
})

it('keeps none whose request is large', () => {
  const begun = createBegunLogins()
  keep(begun, 1, { ...TEXTS, origin: JSON.stringify('x'.repeat(4_096)) })
  expect(begun.recall(keyOf(1), 'page')).toBeNull()
})
