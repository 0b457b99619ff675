// The server's resources: memory as it reports, file descriptors as the kernel reports, connections as the database reports.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'

export function createProbe({ instance, messages, database }) {
  async function memory() {
    const answered = once(messages, 'memory')
    instance.send('memory')
    return (await answered)[0]
  }

  async function connections() {
    const sql = `SELECT count(*)::int AS held FROM pg_stat_activity WHERE application_name LIKE 'latchkey%' AND application_name <> 'latchkey lease'`
    return (await database.ask(sql)).held
  }

  return {
    memory,
    /** Idle: no active operation, and no client holds a connection. */
    holdings: async () => ({
      descriptors: readdirSync(`/proc/${instance.pid()}/fd`).length,
      connections: await connections(),
    }),
  }
}
