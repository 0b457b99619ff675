// Packages of rules and hooks: built before what needs them is saved.
import { beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import type { Need } from '../actions/need'
import { packagesFor, preparePackages, type ScriptBuild } from './script-build'

const needOf = (name: string): Need => ({ dependencies: [{ name }], entries: [name] })
const PG = needOf('pg')

let stored: ScriptBuild | null
let ordered: Need[]
let pauses: number
/** What is stored after so many pauses. */
let later: { after: number; build: ScriptBuild } | undefined

beforeEach(() => {
  stored = null
  ordered = []
  pauses = 0
  later = undefined
})

const deps = {
  scriptBuilds: {
    find: async () => stored,
    async order(need: Need) {
      ordered.push(need)
      stored = { bundle: null, failure: null }
    },
  },
  wakeJobs() {},
  clock: fixedClock(),
  async pause() {
    pauses += 1
    if (later?.after === pauses) stored = later.build
  },
}

describe('preparing packages', () => {
  it('has them built, and waits for it', async () => {
    later = { after: 3, build: { bundle: 'digest', failure: null } }
    expect(await preparePackages([PG, null], [], deps)).toBeNull()
    expect([ordered, pauses]).toEqual([[PG], 3])
  })

  it('says why they could not be built', async () => {
    later = { after: 1, build: { bundle: null, failure: 'The registry has no pg' } }
    expect(await preparePackages([PG], [needOf('lodash')], deps)).toBe('The registry has no pg')
  })

  it('ends where the build does not', async () => {
    expect(await preparePackages([PG], [], deps)).toContain('still being built')
  })

  it('orders nothing that is there, or that was needed before', async () => {
    stored = { bundle: 'digest', failure: null }
    expect(await preparePackages([PG], [null], deps)).toBeNull()
    stored = { bundle: null, failure: 'The registry has no pg' }
    expect(await preparePackages([PG], [PG], deps)).toBeNull()
    expect([ordered, pauses]).toEqual([[], 0])
  })
})

it.each([
  [null, 'they are being built'],
  [{ bundle: null, failure: 'The registry has no pg' }, 'The registry has no pg'],
])('a run with packages that are not there (%j) says why', async (build, why) => {
  expect(await packagesFor(PG, { find: async () => build })).toEqual({ problem: expect.stringContaining(why) })
})
