// A port that a test may assign before a server listens on it. It lies below the range from which operating systems choose ports
// for outgoing connections: an outgoing connection could otherwise take it in the meantime.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST = 10_000
const LAST = 31_999
const TRIES = 100
/** Browsers open no page at these of that range (Fetch standard, "port blocking"). */
const BLOCKED = new Set([10_080])

/** @type {Set<number>} */
const given = new Set()

/** @returns {Promise<number>} */
export async function freePort() {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST + 1)
    if (!given.has(port) && !BLOCKED.has(port) && (await isFree(port))) {
      given.add(port)
      return port
    }
  }
  throw new Error(`none of ${TRIES} ports tried is free`)
}

/**
 * Probes every address, like a server without a configured address.
 * @param {number} port
 */
async function isFree(port) {
  const probe = createServer().listen(port)
  const free = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (free) await new Promise((closed) => probe.close(closed))
  return free
}
