// Where the server under test and the strangers' apps are. Each worker runs an app of its own, reachable under two
// names: `localhost`, the same site as the server, and `app.e2e.test`, another site, which the browser maps to this
// machine. Cookies tell the two apart.

export const SERVER_PORT = Number(process.env.E2E_PORT ?? 4300)
export const SERVER = `http://localhost:${SERVER_PORT}`
export const WORKERS = 2

export type AppOrigins = { sameSite: string; foreign: string }

export const appPort = (worker: number): number => SERVER_PORT + 11 + worker

export const appOrigins = (worker: number): AppOrigins => ({
  sameSite: `http://localhost:${appPort(worker)}`,
  foreign: `http://app.e2e.test:${appPort(worker)}`,
})

/** Chromium's switch that makes the foreign names this machine's. */
export const HOST_RULES = '--host-resolver-rules=MAP *.e2e.test 127.0.0.1'

const everyOrigin = Array.from({ length: WORKERS }, (_, worker) => Object.values(appOrigins(worker))).flat()

/** What e2e/tenant.yaml takes from the environment. */
export const TENANT_VARIABLES = {
  E2E_CALLBACKS: JSON.stringify(everyOrigin.map((origin) => `${origin}/callback`)),
  E2E_LOGOUTS: JSON.stringify(everyOrigin.flatMap((origin) => [`${origin}/bye`, `${origin}/other-bye`])),
  E2E_ORIGINS: JSON.stringify(everyOrigin),
  E2E_TENANT_LOGOUTS: JSON.stringify(everyOrigin.map((origin) => `${origin}/tenant-bye`)),
  E2E_LOGOUT_TOLD: '[]',
}
