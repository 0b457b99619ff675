// One embedded PostgreSQL shared by several servers of a test, and the settings that make them one server.

import { startEmbedded } from '../../../lib/embedded-postgres/embedded'
import { systemClock } from '../../../lib/kernel/clock'
import { systemRandom } from '../../../lib/kernel/random'
import { makeDataDir } from './data-dir'
import type { Settings } from './server-process'
import { TENANT } from './tenant'

/** The public URL of all of them; `HttpBrowser` chooses an instance as a load balancer would. */
export const ORIGIN = 'https://login.e2e.test'

export type SharedDatabase = { url: string; settings: Settings; remove(): Promise<void> }

export async function shareDatabase(): Promise<SharedDatabase> {
  const data = await makeDataDir()
  const database = await startEmbedded({ dataDir: data.path, clock: systemClock, random: systemRandom, durable: false })
  const settings = {
    ...TENANT,
    APP_URL: ORIGIN,
    LATCHKEY_HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    LATCHKEY_SECRET: systemRandom.token(),
  }
  return {
    url: database.url,
    settings,
    async remove() {
      await database.stop()
      await data.remove()
    },
  }
}
