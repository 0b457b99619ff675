import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestHouse, testHouse } from '../testing/house'
import { type AllowanceDeps, type Bound, isAllowed, mailBounds } from './allowance'

let house: TestHouse
let deps: AllowanceDeps

beforeAll(async () => {
  house = await testHouse()
  deps = { attemptCounters: (await house.runtime()).attemptCounters, clock: house.clock }
})
afterAll(() => house.close())

const bound = (over: Partial<Bound> = {}): Bound => ({ name: 'test', of: ['kim'], most: 3, seconds: 60, ...over })

it('lets as many through as it says, also of twenty at once, and others are not concerned', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => isAllowed([bound()], deps)))
  expect(answers.filter(Boolean)).toHaveLength(3)
  expect(await isAllowed([bound({ of: ['lee'] })], deps)).toBe(true)
  expect(await isAllowed([bound({ name: 'other' })], deps)).toBe(true)
})

it('begins anew with the next window', async () => {
  expect(await isAllowed([bound()], deps)).toBe(false)
  house.clock.advance(60)
  expect(await isAllowed([bound()], deps)).toBe(true)
})

it('is exceeded when one of several bounds is', async () => {
  const bounds = [bound({ of: ['tight'], most: 1 }), bound({ of: ['wide'], most: 100 })]
  expect(await isAllowed(bounds, deps)).toBe(true)
  expect(await isAllowed(bounds, deps)).toBe(false)
})

it('counts mails per kind and address, and per network whatever the address', () => {
  const [address, network] = mailBounds('reset_password', 'con', 'kim@mail.test', '2001:db8::1')
  const [other, same] = mailBounds('verify_email', 'con', 'kim@mail.test', '2001:db8::2')
  expect(address?.of).not.toEqual(other?.of)
  expect(network?.of).toEqual(same?.of)
})
