import { expect, it } from 'vitest'
import { digest } from '../../kernel/secret'
import { createNewTransactionCache, type NewTransactionCache } from './new-transaction-cache'

const AT = new Date('2026-11-22T00:00:00Z')
const TEXTS = { origin: '{"protocol":"oidc","request":{"scopes":["openid"]}}', wants: '{"scopes":[]}', decisions: '{}' }
const keyOf = (number: number) => digest(`login ${number}`)
const keep = (newTransactions: ReturnType<NewTransactionCache>, number: number, texts = TEXTS) =>
  newTransactions.keep(
    { handleDigest: keyOf(number), browserDigest: digest('browser'), createdAt: AT, expiresAt: AT },
    texts,
  )

it('returns a new transaction to one page and one form', () => {
  const newTransactions = createNewTransactionCache()('one')
  keep(newTransactions, 1)
  const expected = newTransactions.recall(keyOf(1), 'page')
  expect(expected).toEqual({
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
  expected?.wants.scopes.push('changed by who asked')
  expect(newTransactions.recall(keyOf(1), 'page')).toBeNull()
  expect(newTransactions.recall(keyOf(1), 'form')?.wants).toEqual({ scopes: [] })
  expect(newTransactions.recall(keyOf(1), 'form')).toBeNull()
  keep(newTransactions, 2)
  expect(newTransactions.recall(keyOf(2), 'form')).not.toBeNull()
  expect(newTransactions.recall(keyOf(2), 'page')).toBeNull()
})

it('knows only its own transactions, and forgets on request', () => {
  const newTransactions = createNewTransactionCache()('one')
  keep(newTransactions, 1)
  expect(newTransactions.recall(keyOf(2), 'form')).toBeNull()
  newTransactions.forget(keyOf(2))
  newTransactions.forget(keyOf(1))
  expect(newTransactions.recall(keyOf(1), 'form')).toBeNull()
})

it('keeps four thousand of all tenants together, the newest', () => {
  const logins = createNewTransactionCache()
  const tenants = Array.from({ length: 10 }, (_, number) => logins(`tenant ${number}`))
  for (let number = 0; number < 1_000; number++) for (const newTransactions of tenants) keep(newTransactions, number)
  const expected = tenants.map((newTransactions) =>
    Array.from({ length: 1_000 }, (_, number) => newTransactions.recall(keyOf(number), 'page') !== null),
  )
  expect(expected.map((each) => each.indexOf(true))).toEqual(tenants.map(() => 600))
  expect(expected.flat().filter(Boolean)).toHaveLength(4_000)
})

it('keeps tenants apart', () => {
  const logins = createNewTransactionCache()
  keep(logins('one'), 1)
  expect(logins('other').recall(keyOf(1), 'form')).toBeNull()
  logins('other').forget(keyOf(1))
  expect(logins('one').recall(keyOf(1), 'form')).not.toBeNull()
})

it('holds no more of a digest than its bytes', () => {
  const newTransactions = createNewTransactionCache()('one')
  keep(newTransactions, 1)
  expect(newTransactions.recall(keyOf(1), 'form')?.browserDigest.buffer.byteLength).toBe(32)
})

it('keeps none whose request is large', () => {
  const newTransactions = createNewTransactionCache()('one')
  keep(newTransactions, 1, { ...TEXTS, origin: JSON.stringify('x'.repeat(4_096)) })
  expect(newTransactions.recall(keyOf(1), 'page')).toBeNull()
})
