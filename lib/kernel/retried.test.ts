import { expect, it } from 'vitest'
import { temporarilyUnavailable } from './errors'
import { reportRetried } from './retried'

const levelOf = (error: unknown, inARow: number): string[] => {
  const noted: string[] = []
  const note = (level: string) => (_fields: object, sentence: string) => noted.push(`${level}: ${sentence}`)
  reportRetried(error, inARow, 'trying again', { warn: note('warn'), error: note('error') })
  return noted
}

it('is a warning while the server is busy, and an error once that goes on', () => {
  const busy = temporarilyUnavailable('The service is temporarily unavailable')
  expect([1, 2, 3, 4].flatMap((inARow) => levelOf(busy, inARow))).toEqual([
    'warn: trying again',
    'warn: trying again',
    'error: trying again',
    'error: trying again',
  ])
})

it('is an error at once for any other failure', () => {
  expect(levelOf(new Error('no such table'), 1)).toEqual(['error: trying again'])
})
