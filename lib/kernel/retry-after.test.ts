import { describe, expect, it } from 'vitest'
import { retryAfterSeconds } from './retry-after'

const NOW = new Date('2026-11-26T12:00:00Z')

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['3600', 3600],
    ['3601', 3600],
    ['99999999999999999999', 3600],
    ['Thu, 26 Nov 2026 12:10:00 GMT', 600],
    ['Thursday, 26-Nov-26 12:10:00 GMT', 600],
    ['Fri, 27 Nov 2026 12:00:00 GMT', 3600],
    ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
  ])('%s waits %d seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds)
  })

  it.each([
    undefined,
    '',
    '-5',
    '1.5',
    '1e3',
    '10s',
    'soon',
    'Thu, 99 Nov 2026 12:10:00 GMT',
    '2026-11-26',
    '120, 240',
  ])('%s asks for nothing', (header) => {
    expect(retryAfterSeconds(header, NOW)).toBe(0)
  })
})
