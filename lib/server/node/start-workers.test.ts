import { describe, expect, it } from 'vitest'
import { parseEnv } from '../../settings/env'
import { variablesOf, workersOf } from './start-workers'

const GIB = 1024 ** 3
const machine = { cores: 4, cpuMax: 'max 100000\n', memory: 8 * GIB }

it.each([
  ['one for each core', machine, 4],
  ['no more than the quota of the container grants', { ...machine, cpuMax: '150000 100000\n' }, 2],
  ['no more than there are cores', { ...machine, cpuMax: '900000 100000\n' }, 4],
  ['no more than fit into the memory', { ...machine, memory: GIB / 2 }, 2],
  ['one at least', { ...machine, memory: 1000, cpuMax: '10000 100000\n' }, 1],
])('the number of workers is %s', (_name, of, count) => {
  expect(workersOf({ workers: 'auto' }, of)).toBe(count)
})

it('starts one process without the setting, also with a database of its own and many cores', () => {
  const database = { DATABASE_URL: 'postgresql://localhost/latchkey', LATCHKEY_SECRET: 'x'.repeat(32) }
  for (const source of [{}, database]) expect(workersOf(parseEnv(source), { ...machine, cores: 64 })).toBe(1)
})

it('starts as many workers as the setting says', () => {
  expect(workersOf({ workers: 6 }, machine)).toBe(6)
})

describe('the database connections of a worker', () => {
  it.each([
    [1, '10'],
    [4, '10'],
    [8, '5'],
    [64, '2'],
  ])('one of %d workers has a share of the database connections', (count, connections) => {
    expect(variablesOf({}, { databasePoolSize: 10 }, count)).toEqual({
      LATCHKEY_WORKERS: String(count),
      LATCHKEY_DATABASE_POOL: connections,
    })
  })

  it('are what the operator states', () => {
    const source = { LATCHKEY_DATABASE_POOL: '30' }
    expect(variablesOf(source, { databasePoolSize: 30 }, 8)).toMatchObject(source)
  })
})
