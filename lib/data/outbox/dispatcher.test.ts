// The outbox on real PostgreSQL: a committed message is sent exactly once under concurrency.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutboxStore, outboxWriter } from '../../adapters/store/sql/outbox'
import { fixedClock } from '../../kernel/clock'
import { inWords } from '../../kernel/network-failure'
import { seededRandom, systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { type DeliveryDeps, deliverDue } from './deliver'
import { createDispatcher, type Dispatcher } from './dispatcher'
import { readInbox } from './inbox'
import { type Channel, DeliveryError, type OutgoingMessage } from './message'
import { enqueue, type OutboxWriter } from './outbox'
import { MAX_AGE_SECONDS } from './retry'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('TRUNCATE outbox_message')
})

const vault = createVault('a secret of more than thirty-two characters')
const SECRET_LINK = 'https://id.test/u/unblock?ticket=only-for-ada'

const mailTo = (to: string): OutgoingMessage => ({
  channel: 'email',
  to,
  subject: `Hello ${to}`,
  text: 'text',
  html: '<p>html</p>',
  link: SECRET_LINK,
})

type Behaviour = (message: OutgoingMessage) => Promise<void>

/** A channel that records its messages and then runs the given behaviour. */
function recordingChannel(behaviour: Behaviour = async () => {}): Channel & { sent: string[] } {
  const sent: string[] = []
  return {
    name: 'email',
    sent,
    async send(message) {
      sent.push(message.to)
      await behaviour(message)
    },
    close: () => {},
  }
}

function setUp(channels: Channel[], keepContent = false) {
  const clock = fixedClock()
  const logged: string[] = []
  const note = (fields: Record<string, unknown>, sentence: string) =>
    logged.push(`${sentence} ${JSON.stringify(fields)}`)
  const deps: DeliveryDeps = {
    store: createOutboxStore(database.pool),
    channels,
    keepContent,
    vault,
    clock,
    random: seededRandom(),
    log: { info: note, warn: note, error: note },
  }
  const add = (to: string, writer: OutboxWriter = outboxWriter(database.pool)) =>
    enqueue(mailTo(to), writer, { tenantId: 'default', vault, random: systemRandom, clock })
  return { deps, clock, logged, add }
}

const rows = async () => (await database.pool.query('SELECT * FROM outbox_message ORDER BY created_at, recipient')).rows

describe('enqueue', () => {
  it('shares the fate of the transaction of its cause', async () => {
    const { add } = setUp([])
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await add('ada@demo.test', outboxWriter(client))
    await client.query('ROLLBACK')
    await client.query('BEGIN')
    await add('bob@demo.test', outboxWriter(client))
    await client.query('COMMIT')
    client.release()
    expect((await rows()).map((row) => row.recipient)).toEqual(['bob@demo.test'])
  })

  it('seals the content and refuses a list of recipients before anything is written', async () => {
    const { add } = setUp([])
    await add('ada@demo.test')
    await expect(add('ada@demo.test,eve@evil.test')).rejects.toThrow('one recipient')
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row.sealed_content.toString('latin1')).not.toContain('only-for-ada')
  })
})

describe('deliverDue', () => {
  it('sends once and forgets the content', async () => {
    const channel = recordingChannel()
    const { deps, add, clock } = setUp([channel])
    await add('ada@demo.test')
    expect(await deliverDue(deps)).toBe(1)
    expect(await deliverDue(deps)).toBe(0)
    expect(channel.sent).toEqual(['ada@demo.test'])
    const [row] = await rows()
    expect(row).toMatchObject({ sent_at: clock.now(), next_attempt_at: null, sealed_content: null, attempts: 1 })
  })

  it('sends to the domain in ASCII, which every mail server takes, and keeps the readable address', async () => {
    const channel = recordingChannel()
    const { deps, add } = setUp([channel])
    await add('i@bücher.example')
    expect(await deliverDue(deps)).toBe(1)
    expect(channel.sent).toEqual(['i@xn--bcher-kva.example'])
    expect((await rows()).map(({ recipient }) => recipient)).toEqual(['i@bücher.example'])
  })

  it('sends each of many messages exactly once, however many processes there are', async () => {
    const channel = recordingChannel()
    const { deps, add } = setUp([channel])
    const addresses = Array.from({ length: 60 }, (_, index) => `user${index}@demo.test`)
    await Promise.all(addresses.map((to) => add(to)))
    await Promise.all(Array.from({ length: 6 }, () => deliverDue(deps)))
    expect([...channel.sent].sort()).toEqual([...addresses].sort())
  })

  it('tries again after a passing failure, not before it is due', async () => {
    let down = true
    const channel = recordingChannel(async () => {
      if (down) throw new DeliveryError('ECONNECTION', false)
    })
    const { deps, add, clock } = setUp([channel])
    await add('ada@demo.test')
    await deliverDue(deps)
    expect(await rows()).toMatchObject([{ last_error: inWords('ECONNECTION'), attempts: 1, sent_at: null }])
    expect(await deliverDue(deps)).toBe(0)
    down = false
    clock.advance(5)
    expect(await deliverDue(deps)).toBe(1)
    expect(await rows()).toMatchObject([{ attempts: 2, sent_at: clock.now(), last_error: null }])
  })

  it('sends from the standard sender what is refused with the one of a template', async () => {
    const senders: (string | undefined)[] = []
    const channel = recordingChannel(async ({ from }) => {
      senders.push(from)
      if (from !== undefined) throw new DeliveryError('HTTP 403', false, undefined, true)
    })
    const { deps, clock, logged } = setUp([channel])
    const shared = { tenantId: 'default', vault, random: systemRandom, clock }
    const message = { ...mailTo('ada@demo.test'), from: 'Acme, Inc. <hello@acme.test>' }
    await enqueue(message, outboxWriter(database.pool), shared)
    await deliverDue(deps)
    expect(senders).toEqual(['Acme, Inc. <hello@acme.test>', undefined])
    expect(await rows()).toMatchObject([{ sent_at: clock.now(), attempts: 1 }])
    expect(logged.join()).toContain('HTTP 403')
    expect(logged.join()).not.toMatch(/@/)
  })

  it('tries a refused mail again that names no sender', async () => {
    const channel = recordingChannel(() => Promise.reject(new DeliveryError('HTTP 400', false, undefined, true)))
    const { deps, add } = setUp([channel])
    await add('ada@demo.test')
    await deliverDue(deps)
    expect(channel.sent).toHaveLength(1)
    expect(await rows()).toMatchObject([{ sent_at: null, failed_at: null, last_error: 'HTTP 400' }])
  })

  it('gives up at once when the refusal is final, and drops the content', async () => {
    const channel = recordingChannel(() => Promise.reject(new DeliveryError('EENVELOPE 550', true)))
    const { deps, add, logged } = setUp([channel])
    await add('ada@demo.test')
    await deliverDue(deps)
    expect(await rows()).toMatchObject([
      { last_error: inWords('EENVELOPE 550'), sealed_content: null, next_attempt_at: null },
    ])
    expect(logged.join()).not.toMatch(/ada@|only-for-ada/)
  })

  it('writes no text of an unexpected error', async () => {
    const channel = recordingChannel(() => Promise.reject(new Error('ada@demo.test hunter2')))
    const { deps, add, logged } = setUp([channel])
    await add('ada@demo.test')
    await deliverDue(deps)
    expect(await rows()).toMatchObject([{ last_error: inWords('UNEXPECTED') }])
    expect(logged.join()).not.toContain('hunter2')
  })

  it('takes a message again when its taker died, and lets the late one change nothing', async () => {
    const channel = recordingChannel()
    const { deps, add, clock } = setUp([channel])
    const id = await add('ada@demo.test')
    const leaseUntil = new Date(clock.now().getTime() + 180_000)
    await deps.store.take({ channels: ['email'], ofTenants: false, now: clock.now(), leaseUntil, limit: 1 })
    expect(await deliverDue(deps)).toBe(0)
    clock.advance(181)
    expect(await deliverDue(deps)).toBe(1)
    await deps.store.settle(id, 1, { kind: 'retry', at: clock.now(), reason: 'LATE' })
    expect(await rows()).toMatchObject([{ attempts: 2, sent_at: clock.now(), last_error: null }])
  })

  it('leaves messages waiting while there is no channel, and gives them up after a day', async () => {
    const { deps, add, clock, logged } = setUp([])
    await add('ada@demo.test')
    expect(await deliverDue(deps)).toBe(0)
    expect(await rows()).toMatchObject([{ attempts: 0, failed_at: null }])
    clock.advance(MAX_AGE_SECONDS + 1)
    await deliverDue(deps)
    expect(await rows()).toMatchObject([
      { failed_at: clock.now(), last_error: inWords('EXPIRED'), sealed_content: null },
    ])
    expect(logged.join()).toContain('given up')
  })

  it('gives up nothing by a step of the clock that is not confirmed (RE7)', async () => {
    const { deps, add, clock } = setUp([recordingChannel()])
    await add('ada@demo.test')
    const certain = clock.now()
    clock.advance(MAX_AGE_SECONDS + 1)
    const stepped = { ...deps, clock: { now: clock.now, certain: () => certain } }
    expect(await deliverDue({ ...stepped, channels: [] })).toBe(0)
    expect(await deliverDue(stepped)).toBe(1)
    expect(await rows()).toMatchObject([{ last_error: null, failed_at: null }])
  })

  it('gives up what another secret sealed', async () => {
    const { deps, add } = setUp([recordingChannel()])
    await add('ada@demo.test')
    await deliverDue({ ...deps, vault: createVault('another secret of thirty-two characters') })
    expect(await rows()).toMatchObject([{ last_error: inWords('UNREADABLE') }])
  })

  it('sends nothing whose code is over by then', async () => {
    const channel = recordingChannel()
    const { deps, clock } = setUp([channel])
    const message = { ...mailTo('ada@demo.test'), until: clock.now().toISOString() }
    await enqueue(message, outboxWriter(database.pool), { tenantId: 'default', vault, random: systemRandom, clock })
    await deliverDue(deps)
    expect(channel.sent).toEqual([])
    expect(await rows()).toMatchObject([{ last_error: inWords('OVER'), sealed_content: null, next_attempt_at: null }])
  })
})

describe('the outbox page', () => {
  it('keeps what cannot be sent, and what was sent, newest first', async () => {
    const { deps, add, clock } = setUp([], true)
    await add('ada@demo.test')
    clock.advance(1)
    await add('bob@demo.test')
    await deliverDue(deps)
    expect(await rows()).toMatchObject([{ next_attempt_at: null, sent_at: null, failed_at: null }, {}])
    const inbox = { outbox: deps.store, vault }
    const all = await readInbox({ tenantId: 'default' }, inbox)
    expect(all.map(({ to }) => to)).toEqual(['bob@demo.test', 'ada@demo.test'])
    expect(all[0]).toEqual({
      id: expect.any(String),
      ...mailTo('bob@demo.test'),
      code: null,
      created_at: clock.now().toISOString(),
    })
    expect(await readInbox({ tenantId: 'default', to: 'ADA@demo.test' }, inbox)).toHaveLength(1)
    expect(await readInbox({ tenantId: 'default', channel: 'sms' }, inbox)).toEqual([])
    expect(await readInbox({ tenantId: 'another' }, inbox)).toEqual([])
  })

  it('shows nothing of a message that was sent while it was off', async () => {
    const { deps, add } = setUp([recordingChannel()])
    await add('ada@demo.test')
    await deliverDue(deps)
    expect(await readInbox({ tenantId: 'default' }, { outbox: deps.store, vault })).toEqual([])
  })
})

describe('the dispatcher', () => {
  let dispatcher: Dispatcher | undefined
  afterEach(() => dispatcher?.stop())

  it('sends when woken and completes active deliveries before it stops', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const channel = recordingChannel(() => held)
    const { deps, add } = setUp([channel])
    dispatcher = createDispatcher(deps)
    dispatcher.start()
    await add('ada@demo.test')
    dispatcher.wake()
    await expect.poll(() => channel.sent).toEqual(['ada@demo.test'])
    await add('bob@demo.test')
    dispatcher.wake()
    const stopped = dispatcher.stop()
    release()
    await stopped
    expect(channel.sent).toEqual(['ada@demo.test', 'bob@demo.test'])
    expect((await rows()).every((row) => row.sent_at !== null)).toBe(true)
  })

  it('delays no mail behind an application that answers logout notifications slowly (threat-model.md SE8)', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let expected = 0
    const sendLogout = async () => {
      expected++
      await answered
    }
    const channel = recordingChannel()
    const { deps, add, clock } = setUp([channel])
    await database.pool.query(
      `INSERT INTO outbox_message (id, tenant_id, channel, recipient, notice, created_at, next_attempt_at)
       VALUES ($1, 'default', 'backchannel_logout', 'slow', '{"sub":"auth0|kim","sid":"s","cause":"rp-logout"}', $2, $2)`,
      [systemRandom.uuid(), clock.now()],
    )
    dispatcher = createDispatcher({ ...deps, sendLogout })
    dispatcher.start()
    await expect.poll(() => expected).toBe(1)
    await add('ada@demo.test')
    dispatcher.wake()
    await expect.poll(() => channel.sent).toEqual(['ada@demo.test'])
    answer()
  })

  it('is settled when what was woken for has been tried, for processes that are frozen afterwards', async () => {
    const channel = recordingChannel()
    const { deps, add } = setUp([channel])
    dispatcher = createDispatcher(deps)
    dispatcher.start()
    await dispatcher.settled()
    await add('ada@demo.test')
    dispatcher.wake()
    await dispatcher.settled()
    expect(channel.sent).toEqual(['ada@demo.test'])
  })

  it('survives a database that is away and says so', async () => {
    const { deps, logged } = setUp([recordingChannel()])
    const store = { ...deps.store, giveUp: () => Promise.reject(new Error('connection refused')) }
    dispatcher = createDispatcher({ ...deps, store })
    dispatcher.start()
    await expect.poll(() => logged.join()).toContain('could not be read')
  })

  it('says once that mails go nowhere when no mail server is set', async () => {
    const { deps, logged } = setUp([])
    dispatcher = createDispatcher(deps)
    dispatcher.start()
    dispatcher.wake()
    await dispatcher.stop()
    expect(logged.filter((line) => line.includes('No mail server is set'))).toHaveLength(1)
  })

  it('gives back what is still being sent when a stop has waited for it, for another process to send at once', async () => {
    const channel = recordingChannel(() => new Promise(() => {}))
    const { deps, add } = setUp([channel])
    await add('ada@demo.test')
    const stuck = createDispatcher(deps, { stopMs: 20 })
    stuck.start()
    await expect.poll(() => channel.sent).toEqual(['ada@demo.test'])
    await stuck.stop()
    expect(await rows()).toMatchObject([{ attempts: 1, last_error: inWords('STOPPED'), sent_at: null }])

    const next = recordingChannel()
    expect(await deliverDue({ ...deps, channels: [next] })).toBe(1)
    expect(next.sent).toEqual(['ada@demo.test'])
  })
})

describe('a dispatcher that is never started, where processes are frozen between requests', () => {
  it('claims nothing before it is asked to catch up: neither on creation nor when woken', async () => {
    const channel = recordingChannel()
    const { deps, add } = setUp([channel])
    await add('ada@demo.test')
    const dispatcher = createDispatcher(deps)
    dispatcher.wake()
    await dispatcher.settled()
    expect(await rows()).toMatchObject([{ attempts: 0 }])
    await dispatcher.catchUp()
    expect(channel.sent).toEqual(['ada@demo.test'])
    await dispatcher.stop()
  })

  it('sends what it was woken for, and checks for abandoned messages only now and then', async () => {
    const channel = recordingChannel()
    const { deps, add, clock } = setUp([channel])
    const dispatcher = createDispatcher(deps)
    await dispatcher.catchUp()
    await add('ada@demo.test')
    dispatcher.wake()
    await dispatcher.catchUp()
    expect(channel.sent).toEqual(['ada@demo.test'])

    await add('bob@demo.test')
    await dispatcher.catchUp()
    expect(channel.sent).toEqual(['ada@demo.test'])
    clock.advance(15)
    await dispatcher.catchUp()
    expect(channel.sent).toEqual(['ada@demo.test', 'bob@demo.test'])
    await dispatcher.stop()
  })
})
