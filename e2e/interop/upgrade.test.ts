// An upgrade as docs/runbook.md describes it: a server of this version starts beside one of the previous release and migrates
// the database under load; both serve, then the old one stops. Everything acknowledged before, during or after stays valid.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { balanced, loginAcross, loginOn } from './support/balanced'
import { buildPreviousRelease, type PreviousRelease } from './support/previous-release'
import { startRefreshing } from './support/refreshing'
import { type ServerProcess, type Settings, startServer } from './support/server-process'
import { type SharedDatabase, shareDatabase } from './support/shared-database'
import { redeem, refresh } from './support/tenant'

const CLIENT = 'e2e-patient'
const TABS = 4
const { kim, tab } = PEOPLE

describe('an upgrade from the release before', () => {
  let previous: PreviousRelease
  let database: SharedDatabase
  let settings: Settings
  let old: ServerProcess

  beforeAll(async () => {
    previous = await buildPreviousRelease()
    console.info(`The release before: ${previous.name}`)
    database = await shareDatabase()
    settings = database.settings
    old = await startServer(settings, undefined, previous.folder)
  })
  afterAll(async () => {
    await database?.remove()
    previous?.remove()
  })

  it('succeeds under load, with both versions running, without a failed request', async () => {
    const same = balanced(old)
    const login = async () => {
      const { callback, verifier } = await loginOn(old, kim.email, { client_id: CLIENT }, same)
      return redeem(old.url, CLIENT, callback, verifier)
    }
    const first = await login()
    const families = await Promise.all(Array.from({ length: TABS }, login))
    const tabs = families.map(({ body }) => startRefreshing(old.url, CLIENT, body.refresh_token))

    const fresh = await startServer(settings)
    const readied = await fetch(`${old.url}/readyz`)
    expect(readied.status).toBe(200)

    // Started at the old server and completed at the new one, and the reverse.
    for (const [one, other] of [
      [old, fresh],
      [fresh, old],
    ] as const) {
      const { tokens } = await loginAcross([one, other], tab.email, CLIENT)
      expect(tokens.status).toBe(200)
      expect(await refresh(other.url, CLIENT, tokens.body.refresh_token)).toMatchObject({ status: 200 })
    }

    for (const each of tabs) each.halt()
    const held = await Promise.all(tabs.map(({ ended }) => ended))
    expect(held.map(({ refused, unanswered }) => ({ refused, unanswered }))).toEqual(
      held.map(() => ({ refused: null, unanswered: false })),
    )
    for (const each of tabs) expect(each.acknowledged).toBeGreaterThan(0)
    await old.end('SIGTERM')

    for (const { token } of held) expect(await refresh(fresh.url, CLIENT, token)).toMatchObject({ status: 200 })
    expect(await refresh(fresh.url, CLIENT, first.body.refresh_token)).toMatchObject({ status: 200 })
    const silent = await loginOn(fresh, kim.email, { client_id: CLIENT, prompt: 'none' }, same)
    expect(silent.callback.searchParams.get('error')).toBeNull()
    await fresh.end('SIGTERM')
  })
})
