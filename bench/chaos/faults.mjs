// The faults, injected one after another under the same load. Each causes the harm, holds it, repairs it, and returns the
// times.
// - `strict`: no request may fail meanwhile. Other faults may cut off the requests that were active on the stopped process, and
//   no more.
import { setTimeout as sleep } from 'node:timers/promises'

const FULL = '/dev/full'

/** In seconds. */
const HOUR = 3600
/** Within this time an instance sees the step and has the database's answer, on a busy machine too. */
const ANSWER_MS = 2000

const calm = {
  key: 'calm',
  title: 'nothing',
  strict: true,
  run: (_world, holdMs) => sleep(holdMs),
}

const kill = {
  key: 'kill',
  title: 'kill -9 of an instance, started again',
  async run({ instances: [a] }, holdMs) {
    await a.end('SIGKILL')
    await sleep(holdMs)
    await a.start()
  },
}

const postgres = {
  key: 'postgres',
  title: 'restart of PostgreSQL',
  async run({ database }, holdMs) {
    await database.stop()
    await sleep(holdMs)
    await database.start()
  },
}

const crash = {
  key: 'crash',
  title: 'kill -9 of PostgreSQL, recovered',
  async run({ database }, holdMs) {
    await database.kill()
    await sleep(holdMs)
    await database.start()
  },
}

const redis = {
  key: 'redis',
  title: 'kill -9 of Redis, started again empty',
  strict: true,
  async run(world, holdMs) {
    await world.redis.stop()
    await sleep(holdMs)
    await world.redis.start()
  },
}

async function stepFor(instance, seconds, holdMs) {
  instance.stepClock(seconds)
  await sleep(holdMs)
  instance.stepClock(0)
}

const clock = {
  key: 'clock',
  title: 'clock of an instance an hour back, and right',
  strict: true,
  run: ({ instances: [a] }, holdMs) => stepFor(a, -HOUR, holdMs),
}

/**
 * The step is followed until the database has answered, so what the instance decides at that moment may be refused; a retry is not.
 * `second`: the instance needs a database with a clock of its own.
 */
const ahead = {
  key: 'ahead',
  title: 'clock of an instance 26 hours ahead, and right',
  strict: true,
  second: true,
  async run({ instances: [a], journal }, holdMs) {
    journal.excuse(ANSWER_MS)
    await stepFor(a, 26 * HOUR, holdMs)
  },
}

const log = {
  key: 'log',
  title: 'full disk under log and audit lines',
  strict: true,
  async run({ instances: [a] }, holdMs) {
    await a.end('SIGTERM')
    await a.start({ LATCHKEY_AUDIT_LOG: FULL, LATCHKEY_LOG_LEVEL: 'debug' }, FULL)
    await sleep(holdMs)
    await a.end('SIGTERM')
    await a.start()
  },
}

const rolling = {
  key: 'rolling',
  title: 'rolling restart of both instances',
  strict: true,
  async run({ instances }, holdMs) {
    for (const instance of instances) {
      await instance.end('SIGTERM')
      await instance.start()
      await sleep(holdMs / instances.length)
    }
  },
}

const keys = {
  key: 'keys',
  title: 'rotation of the signing keys',
  strict: true,
  async run({ command, keys: { used }, journal }, holdMs) {
    const before = new Set(used)
    await command(['keys', 'rotate'])
    await sleep(holdMs)
    if ([...used].every((kid) => before.has(kid))) journal.breach('no token was signed with the next key')
  },
}

export const FAULTS = [calm, kill, postgres, crash, redis, clock, ahead, log, rolling, keys]
