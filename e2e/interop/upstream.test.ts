// Two of these servers in separate processes, configured by files as operators write them: users of the first sign in at the
// second.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, hiddenFields, landing, signInAt } from './support/http-browser'
import { type ServerProcess, startServer } from './support/server-process'
import { authorizeRequest, CALLBACK, FAREWELL, redeem, TENANT } from './support/tenant'

const { kim } = PEOPLE

let dirs: DataDir[]
let upstream: ServerProcess
let server: ServerProcess

beforeAll(async () => {
  dirs = await Promise.all([makeDataDir(), makeServedDataDir()])
  const [here, there] = dirs.map(({ path }) => path)
  const port = await freePort()
  const own = `http://localhost:${port}`
  upstream = await startServer({
    ...TENANT,
    LATCHKEY_DATA_DIR: there ?? '',
    E2E_CALLBACKS: JSON.stringify([CALLBACK, `${own}/login/callback`]),
    E2E_LOGOUTS: JSON.stringify([FAREWELL, `${own}/logout/callback`]),
  })
  const settings = {
    LATCHKEY_CONFIG: fileURLToPath(new URL('../downstream.yaml', import.meta.url)),
    LATCHKEY_DATA_DIR: here ?? '',
    E2E_CALLBACKS: JSON.stringify([CALLBACK]),
    E2E_LOGOUTS: JSON.stringify([FAREWELL]),
    E2E_UPSTREAM: `${upstream.url}/`,
  }
  server = await startServer(settings, port)
})
afterAll(async () => {
  await Promise.all([upstream?.end('SIGTERM'), server?.end('SIGTERM')])
  await Promise.all(dirs.map((each) => each.remove()))
})

/** Cookies are stored by host and not by port, so each server has a separate browser. */
const browsers = () => ({ here: new HttpBrowser(), there: new HttpBrowser() })

async function signInBy(way: 'button' | 'name', { here, there }: ReturnType<typeof browsers>) {
  const named: Record<string, string> = way === 'name' ? { connection: 'harbour' } : {}
  const { url, verifier } = authorizeRequest(server.url, { client_id: 'e2e-tide', ...named })
  const first = landing(await here.get(url), url)
  const leaving = way === 'name' ? first : await press(here, first)
  expect(leaving.origin).toBe(upstream.url)
  const page = landing(await there.get(leaving.href), leaving.href)
  const back = page.pathname === '/u/login' ? await signInAt(there, page, kim.email) : page
  expect(back.origin + back.pathname).toBe(`${server.url}/login/callback`)
  return { callback: landing(await here.get(back.href), back.href), verifier }
}

async function press(here: HttpBrowser, page: URL): Promise<URL> {
  const { html } = await here.get(page.href)
  expect(html).toContain('Continue with The Harbour')
  const form = { ...hiddenFields(html), connection: 'harbour', action: 'federated' }
  return landing(await here.post(new URL('/u/submit', page).href, form), page.href)
}

it.each(['button', 'name'] as const)('signs a user of the other server in, by %s', async (way) => {
  const { callback, verifier } = await signInBy(way, browsers())
  const { status, body } = await redeem(server.url, 'e2e-tide', callback, verifier)
  expect(status).toBe(200)
  const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ name: kim.name, email: kim.email, email_verified: true })
  expect(claims.sub).toMatch(/^oidc\|harbour\|auth0\|/)
})

it('signs the user out of both, and returns', async () => {
  const both = browsers()
  await signInBy('name', both)
  const query = `client_id=e2e-tide&federated&returnTo=${encodeURIComponent(FAREWELL)}`
  const leaving = landing(await both.here.get(`${server.url}/v2/logout?${query}`), server.url)
  expect(leaving.origin + leaving.pathname).toBe(`${upstream.url}/oidc/logout`)
  const back = landing(await both.there.get(leaving.href), leaving.href)
  expect(landing(await both.here.get(back.href), back.href).href).toBe(FAREWELL)
})
