// An operator tries the demo tenant, then starts the server with an own tenant file on the same data.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { startServer } from './support/server-process'
import { authorizeRequest, TENANT } from './support/tenant'

let data: DataDir

beforeAll(async () => {
  data = await makeDataDir()
})
afterAll(() => data?.remove())

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status

it('has the tenant of the file alone, keeps the outbox, and says what became of the demo accounts', async () => {
  const demo = await startServer({ LATCHKEY_DATA_DIR: data.path })
  expect(await statusOf(`${demo.url}/demo`)).toBe(200)
  const { port } = demo
  await demo.end('SIGTERM')

  const own = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path }, port)
  try {
    expect(own.output()).toContain('The demo accounts, whose passwords are public, are blocked')
    expect(await statusOf(`${own.url}/demo`)).toBe(404)
    expect(await statusOf(`${own.url}/dev/outbox.json`)).toBe(200)
    const front = await (await fetch(`${own.url}/`)).text()
    for (const path of ['/console', '/account', '/reference']) expect(front).toContain(`href="${path}"`)
    expect(front).not.toMatch(/\bAda\b|href="\/demo"/)
    const callback = await signIn(new HttpBrowser(), authorizeRequest(own.url).url, PEOPLE.kim.email)
    expect(callback.searchParams.get('code')).toEqual(expect.any(String))
  } finally {
    await own.end('SIGTERM')
  }
})

it('says so where no application is registered', async () => {
  const empty = await makeDataDir()
  const settings = { LATCHKEY_DATA_DIR: empty.path, LATCHKEY_DEMO: '0', LATCHKEY_SECRET: 's'.repeat(32) }
  const server = await startServer(settings)
  expect(server.output()).toContain('No application is registered')
  await server.end('SIGTERM')
  await empty.remove()
})
