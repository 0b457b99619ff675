// Runs once per run of tests, in vitest and in Playwright: makes the data that `makeServedDataDir()` copies.
import { makeDataDir, SERVED_DATA } from './data-dir'
import { startServer } from './server-process'
import { TENANT } from './tenant'

export default async function setup(): Promise<() => Promise<void>> {
  const data = await makeDataDir()
  const server = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path })
  await server.end('SIGTERM')
  process.env[SERVED_DATA] = data.path
  return () => data.remove()
}
