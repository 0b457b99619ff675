// Packages of rules and hooks: built before what needs them is saved.
import { beforeEach, describe, expect, it } from 'vitest'
import { type FixedClock, fixedClock } from '../../../kernel/clock'
import type { Need } from '../actions/need'
import {
  createBuildWaits,
  endOfWait,
  type NeedChange,
  type PreparingDeps,
  packagesFor,
  preparePackages,
  type ScriptBuild,
} from './script-build'

const needOf = (name: string): Need => ({ dependencies: [{ name }], entries: [name] })
const PG = needOf('pg')
const LODASH = needOf('lodash')
const BUILT: ScriptBuild = { bundle: 'digest', failure: null }
const FAILED: ScriptBuild = { bundle: null, failure: 'The registry has no pg' }

let clock: FixedClock
let stored: Map<Need, ScriptBuild>
let ordered: Need[]
let pauses: number
/** What is stored after so many pauses. */
let later: { after: number; build: ScriptBuild } | undefined
let waits: ReturnType<typeof createBuildWaits>

beforeEach(() => {
  clock = fixedClock()
  stored = new Map()
  ordered = []
  pauses = 0
  later = undefined
  waits = createBuildWaits()
})

const prepare = (changes: NeedChange[], more: Partial<PreparingDeps> = {}) =>
  preparePackages(changes, endOfWait(clock), {
    tenantId: 'main',
    scriptBuilds: {
      find: async (need) => stored.get(need) ?? null,
      async order(need) {
        ordered.push(need)
        stored.set(need, { bundle: null, failure: null })
      },
    },
    admitWait: waits,
    wakeJobs() {},
    clock,
    async pause(milliseconds) {
      pauses += 1
      clock.advance(milliseconds / 1000)
      if (later?.after === pauses) stored.set(PG, later.build)
    },
    ...more,
  })

describe('preparing packages', () => {
  it('has them built, and waits for it', async () => {
    later = { after: 3, build: BUILT }
    expect(await prepare([{ before: null, after: PG }])).toBeNull()
    expect([ordered, pauses]).toEqual([[PG], 3])
  })

  it('says why they could not be built', async () => {
    stored.set(LODASH, BUILT)
    later = { after: 1, build: FAILED }
    expect(await prepare([{ before: LODASH, after: PG }])).toBe('could not be built: The registry has no pg')
  })

  it('ends after 45 seconds, for all that a request needs', async () => {
    const changes = [PG, LODASH].map((after) => ({ before: null, after }))
    expect(await prepare(changes)).toContain('still being built')
    expect([ordered, pauses]).toEqual([[PG], 225])
  })

  it('orders nothing that is there, or that was needed before', async () => {
    stored.set(PG, BUILT)
    expect(await prepare([{ before: null, after: PG }])).toBeNull()
    stored.set(PG, FAILED)
    expect(
      await prepare([
        { before: PG, after: PG },
        { before: PG, after: null },
      ]),
    ).toBeNull()
    expect([ordered, pauses]).toEqual([[], 0])
  })

  it('only orders them where those of before are not there', async () => {
    stored.set(PG, FAILED)
    expect(await prepare([{ before: PG, after: LODASH }])).toBeNull()
    expect([ordered, pauses]).toEqual([[LODASH], 0])
  })

  it('refuses a third request of a tenant that would wait, before it orders anything', async () => {
    const leave = waits('main')
    waits('main')
    waits('other')
    const refused = await prepare([{ before: null, after: PG }]).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
    expect(ordered).toEqual([])
    leave()
    later = { after: 1, build: FAILED }
    const next = () => prepare([{ before: null, after: PG }])
    expect([await next(), await next()]).toEqual([expect.stringContaining('no pg'), expect.stringContaining('still')])
  })

  it('waits for nothing where nothing is built meanwhile', async () => {
    expect(await prepare([{ before: null, after: PG }], { admitWait: null })).toContain('npm run tenant -- apply')
    expect([ordered, pauses]).toEqual([[], 0])
    stored.set(PG, BUILT)
    expect(await prepare([{ before: null, after: PG }], { admitWait: null })).toBeNull()
  })
})

it.each([
  [null, 'they are being built'],
  [{ bundle: null, failure: 'The registry has no pg' }, 'The registry has no pg'],
])('a run with packages that are not there (%j) says why', async (build, why) => {
  expect(await packagesFor(PG, { find: async () => build })).toEqual({ problem: expect.stringContaining(why) })
})
