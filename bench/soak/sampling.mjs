// What the server holds: memory by its own count, file descriptors by the kernel's, connections by the database's.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'

export function createProbe({ instance, messages, database }) {
  async function memory() {
    const answered = once(messages, 'memory')
    instance.tell('memory')
    return (await answered)[0]
  }

  async function connections() {
    const sql = `SELECT count(*)::int AS held FROM pg_stat_activity WHERE application_name LIKE 'latchkey%' AND application_name <> 'latchkey lease'`
    return (await database.ask(sql)).held
  }

  return {
    memory,
    /** At rest: nothing is under way, and no client holds a connection. */
    holdings: async () => ({
      descriptors: readdirSync(`/proc/${instance.pid()}/fd`).length,
      connections: await connections(),
    }),
  }
}
