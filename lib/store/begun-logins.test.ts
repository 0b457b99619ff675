import { expect, it } from 'vitest'
import { digest } from '../kernel/secret'
import { type BegunLogins, createBegunLogins } from './begun-logins'

const AT = new Date('2026-11-22T00:00:00Z')
const TEXTS = { origin: '{"protocol":"oidc","request":{"scopes":["openid"]}}', wants: '{"scopes":[]}', decisions: '{}' }
const keyOf = (number: number) => digest(`login ${number}`)
const keep = (begun: ReturnType<BegunLogins>, number: number, texts = TEXTS) =>
  begun.keep({ handleDigest: keyOf(number), browserDigest: digest('browser'), createdAt: AT, expiresAt: AT }, texts)

it('tells a login as it began, to one page and one form', () => {
  const begun = createBegunLogins()('one')
  keep(begun, 1)
  const told = begun.recall(keyOf(1), 'page')
  expect(told).toEqual({
    handleDigest: keyOf(1),
    origin: { protocol: 'oidc', request: { scopes: ['openid'] } },
    wants: { scopes: [] },
    browserDigest: Uint8Array.from(digest('browser')),
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
  const begun = createBegunLogins()('one')
  keep(begun, 1)
  expect(begun.recall(keyOf(2), 'form')).toBeNull()
  begun.forget(keyOf(2))
  begun.forget(keyOf(1))
  expect(begun.recall(keyOf(1), 'form')).toBeNull()
})

it('keeps four thousand of all tenants together, the newest', () => {
  const logins = createBegunLogins()
  const tenants = Array.from({ length: 10 }, (_, number) => logins(`tenant ${number}`))
  for (let number = 0; number < 1_000; number++) for (const begun of tenants) keep(begun, number)
  const told = tenants.map((begun) =>
    Array.from({ length: 1_000 }, (_, number) => begun.recall(keyOf(number), 'page') !== null),
  )
  expect(told.map((each) => each.indexOf(true))).toEqual(tenants.map(() => 600))
  expect(told.flat().filter(Boolean)).toHaveLength(4_000)
})

it('tells nobody of another tenant, nor forgets for one', () => {
  const logins = createBegunLogins()
  keep(logins('one'), 1)
  expect(logins('other').recall(keyOf(1), 'form')).toBeNull()
  logins('other').forget(keyOf(1))
  expect(logins('one').recall(keyOf(1), 'form')).not.toBeNull()
})

it('holds no more of a digest than its bytes', () => {
  const begun = createBegunLogins()('one')
  keep(begun, 1)
  expect(begun.recall(keyOf(1), 'form')?.browserDigest.buffer.byteLength).toBe(32)
})

it('keeps none whose request is large', () => {
  const begun = createBegunLogins()('one')
  keep(begun, 1, { ...TEXTS, origin: JSON.stringify('x'.repeat(4_096)) })
  expect(begun.recall(keyOf(1), 'page')).toBeNull()
})
