// What a server in production writes where its output is no terminal: JSON lines of one shape, from its first line to its last, on both
// streams and from all of its processes.
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { launch, outcomeOf, type ServerProcess, startLauncher, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { authorizeRequest } from './support/tenant'

let database: SharedDatabase | undefined
let data: DataDir | undefined
let server: ServerProcess | undefined

afterEach(async () => {
  await server?.end('SIGTERM')
  await database?.remove()
  await data?.remove()
  server = database = data = undefined
})

type Line = Record<string, unknown> & { level: string; time: string; msg: string }

/** Every line, each of which has the members that all have. */
function linesOf(output: string): Line[] {
  const lines = output.trimEnd().split('\n')
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
  const records = lines.map((line) => JSON.parse(line) as Line)
  for (const record of records)
    expect(record).toMatchObject({
      level: expect.stringMatching(/^(?:debug|info|warn|error|fatal)$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      msg: expect.stringMatching(/\S/),
    })
  return records
}

/** A form of no page: Next reports it with a stack. */
const unknownAction = (url: string): Promise<Response> => {
  const boundary = '----WebKitFormBoundaryxm2q4WSbuNHtS4yR'
  return fetch(`${url}/console`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'next-action': '0'.repeat(42) },
    body: `--${boundary}\r\nContent-Disposition: form-data; name="0"\r\n\r\n["$K1"]\r\n--${boundary}--\r\n`,
  })
}

it.each(['1', '2'])('is JSON from an empty database to the end, with %s workers', async (workers) => {
  database = await shareDatabase()
  const settings = { LATCHKEY_LOG_LEVEL: 'info', LATCHKEY_AUDIT_LOG: 'stdout', LATCHKEY_WORKERS: workers }
  server = await startServer({ ...database.settings, ...settings })
  const { url, output } = server
  const browser = new HttpBrowser((address) => address.replace(ORIGIN, url))
  const landed = await signIn(browser, authorizeRequest(ORIGIN).url, PEOPLE.kim.email)
  expect(landed.searchParams.has('code')).toBe(true)
  expect((await fetch(`${url}/userinfo`)).status).toBe(401)
  expect((await unknownAction(url)).status).toBe(409)
  await expect.poll(output).toMatch(/Failed to find Server Action/)
  await expect.poll(output).toContain('Successful login')
  await server.end('SIGTERM')
  const lines = linesOf(output())
  const named = (msg: RegExp) => lines.filter((line) => msg.test(line.msg))
  expect(named(/^Migrations applied: \d+$/)).toMatchObject([
    { migrations: expect.arrayContaining([expect.any(String)]) },
  ])
  expect(named(/e2e-spa|\+ clients/).length).toBeGreaterThan(0)
  expect(named(/^Latchkey answers at/)).toMatchObject([
    { msg: `Latchkey answers at ${ORIGIN}`, console: `${ORIGIN}/console` },
  ])
  expect(named(/No owner of the console can sign in yet/)).toHaveLength(1)
  expect(named(/^Successful login$/)).toMatchObject([{ data: { type: 's' }, log_id: expect.any(String) }])
  expect(named(/Failed to find Server Action/)[0]?.err ?? named(/Failed to find Server Action/)[0]).toBeTruthy()
})

it('is JSON where the start fails', async () => {
  const { code, output } = await outcomeOf(launch({ LATCHKEY_LOG_LEVEL: 'loud' }, await freePort()))
  expect(code).toBe(1)
  expect(linesOf(output)).toMatchObject([{ level: 'fatal', msg: expect.stringContaining('LATCHKEY_LOG_LEVEL') }])
})

it('is JSON by the launcher of `npm start` too, in demo mode', async () => {
  data = await makeDataDir()
  const port = await freePort()
  server = await startLauncher({ LATCHKEY_DATA_DIR: data.path, PORT: String(port) }, port)
  expect((await fetch(`${server.url}/demo`)).status).toBe(200)
  await server.end('SIGTERM')
  expect(linesOf(server.output())).toContainEqual(expect.objectContaining({ open_first: `${server.url}/demo` }))
})
