// What Next runs once before its first request: under `next start` wrong settings and a missing database end the start
// with a sentence, as they do under `npm start`. Behind the fast door the same happens, on its database.
// On a platform every function runs it, also the one that only sets headers: there the first request that needs the
// runtime opens it.
import { platformOf } from './lib/settings/platform.mjs'

export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: told by Next, which puts the value in at build time, and no setting.
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  // biome-ignore lint/style/noProcessEnv: told by the platform, and no setting.
  if (platformOf(process.env) !== undefined) return
  const { openAtStart } = await import('./lib/next/start')
  await openAtStart()
}
