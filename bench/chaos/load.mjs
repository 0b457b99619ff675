// The constant load of all clients, until stopped. Pauses make the load constant instead of maximal: the run measures whether
// requests are served, not how fast.
import { people } from '../lib/definition.mjs'
import { greedy } from './clients/greedy.mjs'
import { logins } from './clients/logins.mjs'
import { mfaLogins } from './clients/mfa.mjs'
import { newcomers } from './clients/newcomers.mjs'
import { refreshing } from './clients/refreshing.mjs'

const CLIENTS = [...Array(4).fill(refreshing), ...Array(2).fill(logins), ...Array(2).fill(newcomers), mfaLogins, greedy]

export const noPromises = () => ({
  people: [],
  revoked: [],
  loggedOut: [],
  sessions: [],
  families: [],
  codes: [],
  admitted: [],
  refused: [],
})

export function startLoad(setting) {
  let running = true
  const isRunning = () => running
  const clients = CLIENTS.map((client, index) => client({ ...setting, isRunning, person: people[index] }))
  const ended = Promise.all(clients)
  ended.catch((error) => setting.journal.breach(`a client could not begin: ${error.message}`))
  return {
    async stop() {
      running = false
      await ended
    },
  }
}
