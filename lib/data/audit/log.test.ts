// The log of a process when nothing goes right: no event blocks, nothing throws, memory is bounded, losses are reported
// (threat-model.md RE10).
import { describe, expect, it, vi } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { temporarilyUnavailable } from '../../kernel/errors'
import { seededRandom } from '../../kernel/random'
import type { AuditEntry } from './audit'
import { createAuditLog } from './log'
import type { AuditRecord } from './record'

function setUp(capacity = 2000) {
  const clock = fixedClock()
  const stored: { tenantId: string; records: readonly AuditRecord[] }[] = []
  const sentences: string[] = []
  const db = { failure: undefined as Error | undefined }
  const say = (_fields: unknown, sentence: string) => void sentences.push(sentence)
  const log = createAuditLog({
    store: {
      async append(tenantId, records) {
        if (db.failure) throw db.failure
        stored.push({ tenantId, records })
      },
    },
    lines: null,
    clock,
    random: seededRandom(),
    log: { warn: say, error: say },
    capacity,
  })
  const record = (count = 1, tenantId = 't') => {
    for (let i = 0; i < count; i += 1) log.record(entryOf(tenantId))
  }
  const entryOf = (tenantId: string): AuditEntry => ({
    name: 'login',
    facts: { user: { id: 'auth0|kim', email: 'kim@mail.test' } },
    tenantId,
    hostname: 'id.test',
    at: clock.now(),
    source: null,
  })
  const types = () => stored.flatMap(({ records }) => records.map(({ type }) => type))
  return { log, record, stored, types, sentences, db, clock }
}

const AWAY = temporarilyUnavailable('away')

describe('storing', () => {
  it('is in batches of a tenant, in order, and each once', async () => {
    const { log, record, stored } = setUp()
    record(1050)
    record(3, 'other')
    await log.flush()
    expect(stored.map(({ tenantId, records }) => [tenantId, records.length])).toEqual([
      ['t', 500],
      ['t', 500],
      ['t', 50],
      ['other', 3],
    ])
    const ids = stored.slice(0, 3).flatMap(({ records }) => records.map(({ logId }) => logId))
    expect(new Set(ids).size).toBe(1050)
    expect(ids.toSorted()).toEqual(ids)
    await log.flush()
    expect(stored).toHaveLength(4)
  })

  it('comes by itself within 200 ms, at once when many wait, and not before it is started', async () => {
    vi.useFakeTimers()
    try {
      const { log, record, types } = setUp()
      record()
      await vi.advanceTimersByTimeAsync(1000)
      expect(types()).toEqual([])
      log.start()
      await vi.advanceTimersByTimeAsync(201)
      expect(types()).toHaveLength(1)
      record(499)
      await vi.advanceTimersByTimeAsync(1)
      expect(types()).toHaveLength(1)
      record()
      await vi.advanceTimersByTimeAsync(1)
      expect(types()).toHaveLength(501)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends with what waits', async () => {
    const { log, record, types } = setUp()
    log.start()
    record(5)
    await log.close()
    expect(types()).toHaveLength(5)
  })
})

describe('while the database is away', () => {
  it('keeps what happened, and says so once', async () => {
    const { log, record, db, types, sentences } = setUp()
    db.failure = AWAY
    for (let round = 0; round < 20; round += 1) {
      record(5)
      await log.flush()
    }
    expect(sentences).toEqual([expect.stringContaining('stay in memory')])
    db.failure = undefined
    await log.flush()
    expect(types()).toHaveLength(100)
    expect(sentences.at(-1)).toContain('stored again')
  })

  it('keeps so much and no more, and the next record says how many were lost since when', async () => {
    const { log, record, db, stored, clock } = setUp(10)
    db.failure = AWAY
    record(10)
    const since = clock.now().toISOString()
    record(7)
    clock.advance(60)
    record(5)
    await log.flush()
    db.failure = undefined
    await log.flush()
    const [first, ...rest] = stored.flatMap(({ records }) => records)
    expect(first?.type).toBe('latchkey_events_lost')
    expect(JSON.parse(first?.content ?? '').details).toMatchObject({ count: 12, since })
    expect(rest.map(({ type }) => type)).toEqual(Array(10).fill('s'))
    record()
    await log.flush()
    expect(stored.at(-1)?.records).toHaveLength(1)
  })

  it('stops all the same', async () => {
    const { log, record, db, sentences } = setUp()
    log.start()
    db.failure = AWAY
    record()
    await log.close()
    expect(sentences.at(-1)).toContain('never stored')
  })
})

it('gives a batch up that the database refuses time and again, and counts it', async () => {
  const { log, record, db, types } = setUp()
  db.failure = new Error('a column is missing')
  record(3)
  for (let round = 0; round < 5; round += 1) await log.flush()
  db.failure = undefined
  await log.flush()
  expect(types()).toEqual(['latchkey_events_lost'])
})
