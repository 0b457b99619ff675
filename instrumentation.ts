// What Next runs once before its first request: under `next start` wrong settings and a missing database end the start
// with a sentence, as they do under `npm start`. Behind the fast door the same happens, on its database.
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: told by Next, and no setting.
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { openAtStart } = await import('./lib/next/start')
  await openAtStart()
}
