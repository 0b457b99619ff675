// The machines of one thread. A machine belongs to its first tenant for its whole life, so that no memory that served one tenant ever serves
// another (threat-model.md AC5, BF14). The least recently used one is overwritten and given up.
import { openMachine, pagesFor } from './machine.mjs'

/** Per thread: each reserves gigabytes of addresses. */
const MAX_MACHINES = 16
/** Per thread, of the memory that they have touched. */
const MAX_BYTES = 128 * 1024 * 1024

/**
 * @param {{ prepare: Parameters<typeof openMachine>[1], max?: number, maxBytes?: number }} how
 */
export function createMachines({ prepare, max = MAX_MACHINES, maxBytes = MAX_BYTES }) {
  /** @type {Map<string, any>} the least recently used first */
  const machines = new Map()
  let spare = null

  const keyOf = (tenant, pages) => `${pages} ${tenant}`

  function giveUp(key) {
    machines.get(key).wipe()
    machines.delete(key)
  }

  /** Prepares a machine for the next new tenant. */
  async function fill() {
    spare ??= await openMachine(pagesFor(null), prepare)
  }

  const touched = () => [...machines.values()].reduce((sum, machine) => sum + machine.touched(), 0)

  return {
    fill,
    /** A machine for one use, which overwrites it. */
    open: (pages) => openMachine(pages, prepare),
    /** A machine of the tenant that is large enough for the image. Its content is that of an earlier run. */
    async of(tenant, image) {
      const pages = pagesFor(image)
      const key = keyOf(tenant, pages)
      let machine = machines.get(key)
      if (!machine && spare?.pages === pages) [machine, spare] = [spare, null]
      machine ??= await openMachine(pages, prepare)
      machines.delete(key)
      machines.set(key, machine)
      return machine
    },
    /** After a slice: gives up machines over the limits, and one that exceeded its memory, because it has grown. */
    async renew() {
      for (const [key, machine] of machines) if (machine.isExceeded()) giveUp(key)
      for (const key of machines.keys()) {
        if (machines.size <= max && (machines.size === 1 || touched() <= maxBytes)) break
        giveUp(key)
      }
      await fill()
    },
    tenants: () => [...machines.keys()].map((key) => key.slice(key.indexOf(' ') + 1)),
  }
}
