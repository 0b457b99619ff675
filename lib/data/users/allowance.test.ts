import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../testing/server'
import { type AllowanceDeps, type CountLimit, familiarTo, makeKnown, mayMail, takeAllowance } from './allowance'

let server: TestServer
let deps: AllowanceDeps

beforeAll(async () => {
  server = await testServer()
  deps = { attemptCounters: (await server.runtime()).attemptCounters, clock: server.clock }
})
afterAll(() => server.close())

const bound = (over: Partial<CountLimit> = {}): CountLimit => ({
  name: 'test',
  of: ['kim'],
  most: 3,
  seconds: 60,
  ...over,
})

it('lets as many through as it says, also of twenty at once, and others are not concerned', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => takeAllowance([bound()], deps)))
  expect(answers.filter(Boolean)).toHaveLength(3)
  expect(await takeAllowance([bound({ of: ['lee'] })], deps)).toBe(true)
  expect(await takeAllowance([bound({ name: 'other' })], deps)).toBe(true)
})

it('begins anew with the next window', async () => {
  expect(await takeAllowance([bound()], deps)).toBe(false)
  server.clock.advance(60)
  expect(await takeAllowance([bound()], deps)).toBe(true)
})

it('is exceeded when one of several bounds is', async () => {
  const bounds = [bound({ of: ['tight'], most: 1 }), bound({ of: ['wide'], most: 100 })]
  expect(await takeAllowance(bounds, deps)).toBe(true)
  expect(await takeAllowance(bounds, deps)).toBe(false)
})

it('counts what one bound refuses on no other', async () => {
  const bounds = [bound({ of: ['own'], most: 2 }), bound({ of: ['shared'], most: 4 })]
  for (let i = 0; i < 20; i++) await takeAllowance(bounds, deps)
  expect(await takeAllowance([bound({ of: ['other'] }), bound({ of: ['shared'], most: 4 })], deps)).toBe(true)
})

describe('mails to one address (threat-model.md BF8)', () => {
  const kim = { connectionId: 'con', address: 'kim@mail.test' }
  const send = async (times: number, kind: string, ip: (place: number) => string, to = kim) => {
    const answers: boolean[] = []
    for (let place = 0; place < times; place++) answers.push(await mayMail(kind, to, { ip: ip(place) }, deps))
    return answers.filter(Boolean).length
  }

  it('are three a day of one kind, for all unrecognized networks together', async () => {
    expect(await send(20, 'reset_password', (place) => `192.0.2.${place}`)).toBe(3)
    expect(await send(20, 'verify_email', (place) => `192.0.2.${place}`)).toBe(3)
    expect(await send(20, 'reset_password', (place) => `192.0.2.${place}`, { ...kim, address: 'lee@mail.test' })).toBe(
      3,
    )
    server.clock.advance(86_400)
    expect(await send(20, 'reset_password', (place) => `192.0.2.${place}`)).toBe(3)
  })

  it('are five an hour beside those from where the address was proven', async () => {
    await makeKnown(familiarTo(kim), '198.51.100.7', deps)
    await send(20, 'reset_password', (place) => `192.0.2.${place}`)
    expect(await send(9, 'reset_password', () => '198.51.100.7')).toBe(5)
    server.clock.advance(32 * 86_400)
    expect(await send(9, 'reset_password', () => '198.51.100.7')).toBe(3)
  })

  it('are fifty an hour from one network, and four times as many from an IPv6 /56', async () => {
    server.clock.advance(3600)
    const each = (ip: (place: number) => string) =>
      Promise.all(
        Array.from({ length: 220 }, (_, place) =>
          mayMail('reset_password', { ...kim, address: `all${place}@mail.test` }, { ip: ip(place) }, deps),
        ),
      )
    expect((await each(() => '203.0.113.1')).filter(Boolean)).toHaveLength(50)
    server.clock.advance(86_400)
    const of56 = await each((place) => `2001:db8:0:${place.toString(16)}::1`)
    expect(of56.filter(Boolean)).toHaveLength(200)
  })
})
