import { afterAll, beforeAll, expect, it } from 'vitest'
import { consumeTicket, findTicket, issueTicket, type TicketDeps, type TicketKind } from '../../../data/tickets/ticket'
import { type TestServer, testServer } from '../../../testing/server'
import { ticketStore } from './tickets'

const TEST_TICKET: TicketKind<{ door: number }> = { name: 'test-door', bond: 'flow', lifetimeSeconds: 60 }
const OTHER: TicketKind<{ door: number }> = { ...TEST_TICKET, name: 'test-other' }

let server: TestServer
let deps: TicketDeps

beforeAll(async () => {
  server = await testServer()
  deps = await server.runtime()
})
afterAll(() => server.close())

it('is found as often as one looks, and used once', async () => {
  const ticket = await issueTicket(TEST_TICKET, { door: 7 }, deps)
  expect(await findTicket(TEST_TICKET, ticket, deps)).toEqual({ door: 7 })
  expect(await findTicket(TEST_TICKET, ticket, deps)).toEqual({ door: 7 })
  expect(await consumeTicket(TEST_TICKET, ticket, deps)).toEqual({ door: 7 })
  expect(await consumeTicket(TEST_TICKET, ticket, deps)).toBeNull()
  expect(await findTicket(TEST_TICKET, ticket, deps)).toBeNull()
})

it('lets one of twenty through', async () => {
  const ticket = await issueTicket(TEST_TICKET, { door: 1 }, deps)
  const taken = await Promise.all(Array.from({ length: 20 }, () => consumeTicket(TEST_TICKET, ticket, deps)))
  expect(taken.filter((payload) => payload !== null)).toHaveLength(1)
})

it('opens nothing of another kind or tenant', async () => {
  const ticket = await issueTicket(TEST_TICKET, { door: 1 }, deps)
  const elsewhere = { ...deps, tickets: ticketStore(server.db, 'another') }
  expect(await consumeTicket(OTHER, ticket, deps)).toBeNull()
  expect(await consumeTicket(TEST_TICKET, ticket, elsewhere)).toBeNull()
  expect(await consumeTicket(TEST_TICKET, `${ticket}x`, deps)).toBeNull()
  expect(await consumeTicket(TEST_TICKET, ticket, deps)).toEqual({ door: 1 })
})

it('ends by itself', async () => {
  const ticket = await issueTicket(TEST_TICKET, { door: 1 }, deps)
  server.clock.advance(60)
  expect(await findTicket(TEST_TICKET, ticket, deps)).toBeNull()
  expect(await consumeTicket(TEST_TICKET, ticket, deps)).toBeNull()
})

it('is ended by a newer one for the same subject, and by no other', async () => {
  const first = await issueTicket(TEST_TICKET, { door: 1 }, deps, { subject: 'kim' })
  const lee = await issueTicket(TEST_TICKET, { door: 2 }, deps, { subject: 'lee' })
  const second = await issueTicket(TEST_TICKET, { door: 3 }, deps, { subject: 'kim' })
  expect(await findTicket(TEST_TICKET, first, deps)).toBeNull()
  expect(await findTicket(TEST_TICKET, lee, deps)).toEqual({ door: 2 })
  expect(await findTicket(TEST_TICKET, second, deps)).toEqual({ door: 3 })
})
