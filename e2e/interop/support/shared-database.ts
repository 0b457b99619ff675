// One embedded PostgreSQL shared by several servers of a test, and the settings that make them one server.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../../lib/adapters/embedded-postgres/embedded'
import { systemClock } from '../../../lib/kernel/clock'
import { systemRandom } from '../../../lib/kernel/random'
import { type DataDir, makeDataDir, makeServedDataDir } from './data-dir'
import type { Settings } from './server-process'
import { TENANT } from './tenant'

/** The public URL of all of them; `HttpBrowser` chooses an instance as a load balancer would. */
export const ORIGIN = 'https://login.e2e.test'

export type SharedDatabase = { url: string; settings: Settings; remove(): Promise<void> }

/** An empty one. */
export const shareDatabase = async (): Promise<SharedDatabase> => share(await makeDataDir(), systemRandom.token())

/** One with the tenant, which a server served before. */
export async function shareServedDatabase(): Promise<SharedDatabase> {
  const data = await makeServedDataDir()
  return share(data, (await readFile(join(await data.home(), 'secret'), 'utf8')).trim())
}

async function share(data: DataDir, secret: string): Promise<SharedDatabase> {
  const database = await startEmbedded({ dataDir: data.path, clock: systemClock, random: systemRandom, durable: false })
  const settings = {
    ...TENANT,
    APP_URL: ORIGIN,
    LATCHKEY_HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    LATCHKEY_SECRET: secret,
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
