// Going back to the release before, as docs/runbook.md describes it: its server refuses the database that this version migrated, and serves
// the backup of before the upgrade, with the tokens of that time.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../../lib/kernel/random'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { buildPreviousRelease, type PreviousRelease } from './support/previous-release'
import { launch, outcomeOf, type ServerProcess, type Settings, startServer } from './support/server-process'
import { hasSystemPostgres, type SystemPostgres, startSystemPostgres } from './support/system-postgres'
import { authorizeRequest, redeem, refresh, TENANT } from './support/tenant'

const ORIGIN = 'https://login.e2e.test'
const CLIENT = 'e2e-spa'

describe.skipIf(!hasSystemPostgres())('going back to the release before', () => {
  let previous: PreviousRelease
  let postgres: SystemPostgres
  let folder: DataDir
  let settings: Settings
  let refreshToken: string

  const on = (database: string): Settings => ({ ...settings, DATABASE_URL: postgres.url(database) })

  beforeAll(async () => {
    previous = await buildPreviousRelease()
    postgres = await startSystemPostgres()
    folder = await makeDataDir()
    settings = { ...TENANT, APP_URL: ORIGIN, LATCHKEY_HOST: '127.0.0.1', LATCHKEY_SECRET: systemRandom.token() }
    postgres.run('createdb', '--owner=latchkey', 'latchkey')
    const old = await startServer(on('latchkey'), undefined, previous.folder)
    refreshToken = await tokenAt(old)
    const dump = join(folder.path, 'before.dump')
    await writeFile(dump, postgres.run('pg_dump', '--format=custom', 'latchkey'))
    await old.end('SIGTERM')
    const upgraded = await startServer(on('latchkey'))
    await upgraded.end('SIGTERM')
    postgres.run('createdb', '--owner=latchkey', 'latchkey_before')
    postgres.run('pg_restore', '--dbname=latchkey_before', '--no-owner', '--role=latchkey', '--exit-on-error', dump)
  })
  afterAll(async () => {
    await postgres?.stop()
    await folder?.remove()
    previous?.remove()
  })

  async function tokenAt(server: ServerProcess): Promise<string> {
    const browser = new HttpBrowser((url) => url.replace(ORIGIN, server.url))
    const { url, verifier } = authorizeRequest(ORIGIN)
    const callback = await signIn(browser, url, PEOPLE.kim.email)
    return (await redeem(server.url, CLIENT, callback, verifier)).body.refresh_token
  }

  it('is refused on the migrated database, by the name of a migration', async ({ skip }) => {
    // A clone without the earlier commit has this build in its place.
    if (previous.name.startsWith('this build')) skip()
    const { code, output } = await outcomeOf(launch(on('latchkey'), await freePort(), previous.folder))
    expect(code).toBe(1)
    expect(output).toMatch(/The database has the migration \d+_\w+, which this version does not know/)
  })

  it('serves the backup, and honours its tokens', async () => {
    const back = await startServer(on('latchkey_before'), undefined, previous.folder)
    expect(await refresh(back.url, CLIENT, refreshToken)).toMatchObject({ status: 200 })
    expect(await tokenAt(back)).toEqual(expect.any(String))
    await back.end('SIGTERM')
  })
})
