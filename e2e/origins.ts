// The origins of the server under test and of the third-party apps. Each worker runs an app under two names: `localhost`, the
// same site as the server, and `app.e2e.test`, another site, which the browser maps to this machine. Cookies distinguish the
// two sites.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'

export const SERVER_PORT = Number(process.env.E2E_PORT ?? 4300)
export const SERVER = `http://localhost:${SERVER_PORT}`
export const WORKERS = 2

export type AppOrigins = { sameSite: string; foreign: string }

export const appPort = (worker: number): number => SERVER_PORT + 11 + worker

export const appOrigins = (worker: number): AppOrigins => ({
  sameSite: `http://localhost:${appPort(worker)}`,
  foreign: `http://app.e2e.test:${appPort(worker)}`,
})

/** The identity providers: their address for the server under test, and their address for a browser, which is another site. */
export const PROVIDERS_PORT = SERVER_PORT + 5
export const PROVIDERS_HERE = `http://localhost:${PROVIDERS_PORT}`
export const PROVIDERS_THERE = `http://providers.e2e.test:${PROVIDERS_PORT}`

/** The key with which the client signs its secret at one of them. One per run: workers read this file too. */
export const ORCHARD_KEY = process.env.E2E_ORCHARD_KEY ?? makeKey()
process.env.E2E_ORCHARD_KEY = ORCHARD_KEY

/** The key of an application with `private_key_jwt`; its public half is registered. */
export const SEAL_KEY = process.env.E2E_SEAL_KEY ?? makeSealKey()
process.env.E2E_SEAL_KEY = SEAL_KEY

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function makeSealKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Chromium's switch that maps the foreign names to this machine. */
export const HOST_RULES = '--host-resolver-rules=MAP *.e2e.test 127.0.0.1'

const everyOrigin = Array.from({ length: WORKERS }, (_, worker) => Object.values(appOrigins(worker))).flat()

/** Keys in the environment of e2e/tenant.yaml. */
const KEY_VARIABLES = {
  E2E_ORCHARD_KEY: ORCHARD_KEY,
  E2E_SEAL: createPublicKey(SEAL_KEY).export({ type: 'spki', format: 'pem' }).toString(),
}

/** Origins in the environment of e2e/tenant.yaml. */
export const PROVIDER_VARIABLES = {
  E2E_PROVIDERS_HERE: PROVIDERS_HERE,
  E2E_PROVIDERS_THERE: PROVIDERS_THERE,
  ...KEY_VARIABLES,
}

/** The environment variables that e2e/tenant.yaml uses. */
export const TENANT_VARIABLES = {
  E2E_CALLBACKS: JSON.stringify(everyOrigin.map((origin) => `${origin}/callback`)),
  E2E_LOGOUTS: JSON.stringify(everyOrigin.flatMap((origin) => [`${origin}/bye`, `${origin}/other-bye`])),
  E2E_ORIGINS: JSON.stringify(everyOrigin),
  E2E_TENANT_LOGOUTS: JSON.stringify(everyOrigin.map((origin) => `${origin}/tenant-bye`)),
  E2E_LOGOUT_TOLD: '[]',
  ...PROVIDER_VARIABLES,
}
