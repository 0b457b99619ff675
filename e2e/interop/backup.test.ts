// A backup as docs/runbook.md describes it: dumped, restored into an empty database, started with the same secret. Every
// session, token and second factor is valid there, and none of them without the secret.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../../lib/kernel/random'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { launch, outcomeOf, type ServerProcess, type Settings, startServer } from './support/server-process'
import { hasSystemPostgres, type SystemPostgres, startSystemPostgres } from './support/system-postgres'
import { authorizeRequest, redeem, refresh, TENANT } from './support/tenant'

const ORIGIN = 'https://login.e2e.test'
const CLIENT = 'e2e-spa'
const { kim } = PEOPLE

describe.skipIf(!hasSystemPostgres())('a restored backup', () => {
  let postgres: SystemPostgres
  let folder: DataDir
  let settings: Settings
  let restored: ServerProcess
  let browser: HttpBrowser
  let tokens: { access_token: string; refresh_token: string }

  beforeAll(async () => {
    postgres = await startSystemPostgres()
    folder = await makeDataDir()
    postgres.run('createdb', '--owner=latchkey', 'before')
    settings = { ...TENANT, APP_URL: ORIGIN, LATCHKEY_HOST: '127.0.0.1', LATCHKEY_SECRET: systemRandom.token() }
    const before = await startServer({ ...settings, DATABASE_URL: postgres.url('before') })
    let server = before
    browser = new HttpBrowser((url) => url.replace(ORIGIN, server.url))
    const { url, verifier } = authorizeRequest(ORIGIN)
    const callback = await signIn(browser, url, kim.email)
    tokens = (await redeem(before.url, CLIENT, callback, verifier)).body
    const dump = join(folder.path, 'latchkey.dump')
    await writeFile(dump, postgres.run('pg_dump', '--format=custom', 'before'))
    await before.end('SIGTERM')

    postgres.run('createdb', '--owner=latchkey', 'after')
    postgres.run('pg_restore', '--dbname=after', '--no-owner', '--role=latchkey', '--exit-on-error', dump)
    restored = await startServer({ ...settings, DATABASE_URL: postgres.url('after') })
    server = restored
  })
  afterAll(async () => {
    await restored?.end('SIGTERM')
    await postgres?.stop()
    await folder?.remove()
  })

  it('keeps sessions', async () => {
    const { url, verifier } = authorizeRequest(ORIGIN, { prompt: 'none' })
    const callback = await signIn(browser, url, kim.email)
    expect(callback.searchParams.get('error')).toBeNull()
    expect(await redeem(restored.url, CLIENT, callback, verifier)).toMatchObject({ status: 200 })
  })

  it('honours the tokens of before', async () => {
    const userinfo = await fetch(`${restored.url}/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(await userinfo.json()).toMatchObject({ email: kim.email })
    expect(await refresh(restored.url, CLIENT, tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('signs with the key of before', async () => {
    const kids = async (): Promise<string[]> => {
      const answer = await fetch(`${restored.url}/.well-known/jwks.json`)
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
    }
    const rows = postgres.run(
      'psql',
      '--dbname=before',
      '--tuples-only',
      '--no-align',
      '--command=SELECT kid FROM signing_key',
    )
    expect((await kids()).sort()).toEqual(rows.toString().trim().split('\n').sort())
  })

  it('does not start with another secret, and says why', async () => {
    const stranger = { ...settings, LATCHKEY_SECRET: systemRandom.token(), DATABASE_URL: postgres.url('after') }
    const { code, output } = await outcomeOf(launch(stranger, await freePort()))
    expect(code).toBe(1)
    expect(output).toContain('another LATCHKEY_SECRET')
  })
})
