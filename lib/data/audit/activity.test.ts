import { describe, expect, it } from 'vitest'
import { activityOf, type Counted, OTHERS } from './activity'
import { peopleIn } from './sketch'

const AT = new Date('2026-11-28T10:20:30.000Z')
const known = () => ({ day: 0, names: new Set<string>() })

const record = (kind: Counted['kind'], more: Partial<Counted> = {}, userId: string | null = null) => ({
  at: AT,
  userId,
  counted: { kind, clientId: null, connection: null, ...more },
})

describe('what a batch counts', () => {
  it('is counted for the tenant by minute, hour and day, for application and connection by hour and day', () => {
    const rows = activityOf(
      [
        record('logins', { clientId: 'shop', connection: 'Users' }, 'ann'),
        record('logins', { clientId: 'shop', connection: 'google' }, 'ann'),
        record('failures', { clientId: 'shop' }),
        record('signups', {}, 'bob'),
        { at: AT, userId: null, counted: null },
      ],
      known(),
    )
    const shown = rows.map(({ dimension, span, at, key, logins, signups, failures, people }) => [
      `${dimension} ${span} ${at.toISOString().slice(5, 16)} ${key}`.trim(),
      ...[logins, signups, failures, people && peopleIn(people)],
    ])
    expect(shown).toEqual([
      ['all day 11-28T00:00', 2, 1, 1, 1],
      ['all hour 11-28T10:00', 2, 1, 1, 1],
      ['all minute 11-28T10:20', 2, 1, 1, null],
      ['application day 11-28T00:00 shop', 2, 0, 1, 1],
      ['application hour 11-28T10:00 shop', 2, 0, 1, 1],
      ['connection day 11-28T00:00 Users', 1, 0, 0, 1],
      ['connection day 11-28T00:00 google', 1, 0, 0, 1],
      ['connection hour 11-28T10:00 Users', 1, 0, 0, 1],
      ['connection hour 11-28T10:00 google', 1, 0, 0, 1],
    ])
  })

  it('is nothing where no record counts', () => {
    expect(activityOf([{ at: AT, userId: 'ann', counted: null }], known())).toEqual([])
  })

  it('has fifty applications a day apart, and the others together', () => {
    const names = known()
    const batch = Array.from({ length: 60 }, (_, n) => record('logins', { clientId: `app-${n}` }))
    const rows = activityOf(batch, names).filter(({ dimension, span }) => dimension === 'application' && span === 'day')
    expect(rows).toHaveLength(51)
    expect(rows.find(({ key }) => key === OTHERS)?.logins).toBe(10)
    // The connections have their own fifty, and the next day begins anew.
    const [connection] = activityOf([record('logins', { connection: 'c' })], names).filter(
      ({ dimension }) => dimension === 'connection',
    )
    expect(connection?.key).toBe('c')
    const next = { ...record('logins', { clientId: 'app-59' }), at: new Date(AT.getTime() + 86_400_000) }
    expect(activityOf([next], names).map(({ key }) => key)).toContain('app-59')
  })
})
