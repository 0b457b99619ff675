// Next runs this once before its first request. Under `next start`, invalid settings or a missing DATABASE_URL end the start
// with a message, as under `npm start`. In the secondary process of the Node adapter the same happens, with the parent's
// database.
// On a platform every function runs this file, including a function that only sets headers; so there the first request that
// needs the runtime opens it.
import { platformOf } from './lib/settings/platform.mjs'

export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: set by Next at build time, not a setting.
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { keepResponses } = await import('./lib/server/next/status')
  keepResponses()
  // biome-ignore lint/style/noProcessEnv: set by the platform, not a setting.
  if (platformOf(process.env) !== undefined) return
  const { openAtStart } = await import('./lib/server/next/start')
  await openAtStart()
}
