// A tenant file's actions on PostgreSQL, from the file to the claims of tokens and the operator's log.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyTenantFile } from '../../../management/tenant-file/apply'
import { exportTenantFile } from '../../../management/tenant-file/export'
import { actions } from '../../../server/node/commands/actions'
import { siblingReader } from '../../../server/runtime/sibling-reader'
import { loginEvent, noBundler } from '../../../testing/actions'
import { type TestServer, testServer } from '../../../testing/server'
import { createRunLog, latestRuns } from '../action-runs'
import { signingKeyStore } from '../prisma/keys'
import { tenantFileStore } from '../prisma/tenant-file'

let server: TestServer
let folder: string
const printed: string[] = []

beforeAll(async () => {
  server = await testServer()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-actions-'))
  await mkdir(join(folder, 'in', 'actions'), { recursive: true })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const store = () => tenantFileStore(server.db)

async function apply(text: string): Promise<string[]> {
  printed.length = 0
  const path = join(folder, 'in', 'tenant.yaml')
  const file = { path, text, variables: { GREETING: 'hello' }, readSibling: siblingReader(path) }
  await applyTenantFile(file, {
    store: store(),
    signingKeys: signingKeyStore(server.db, 'default'),
    tenantId: 'default',
    baseUrl: 'https://id.test',
    vault: server.vault,
    random: server.random,
    clock: server.clock,
    hasher: { hash: async () => '', keepImported: async () => '' },
    print: (line) => printed.push(line),
    loadTemplateFault: async () => (await import('../../../pages/messages/liquid')).faultOf,
    loadUnusedTexts: async () => (await import('../../../text/custom')).unusedTexts,
    bundler: noBundler,
    announce: () => {},
  })
  server.clock.advance(2)
  return printed
}

const FILE = `actions:
  - name: Greet
    code: ./actions/greet.js
    secrets: [{ name: WORD, value: a secret word }]
    supported_triggers: [{ id: post-login, version: v3 }]
triggers: { post-login: [{ action_name: Greet }] }
`

describe('an action of a tenant file', () => {
  it('is bound within a second, runs with its secrets, and leaves its log', async () => {
    expect((await server.runtime()).triggers.isBound('post-login')).toBe(false)
    await writeFile(
      join(folder, 'in', 'actions', 'greet.js'),
      `exports.onExecutePostLogin = async (event, api) => {
        console.log('##GREETING##', event.secrets.WORD, 'a\\u0000b\\ud800')
        api.idToken.setCustomClaim('length', event.secrets.WORD.length)
      }`,
    )
    expect(await apply(FILE)).toContain('  + actions: Greet')
    const { triggers } = await server.runtime()
    expect(triggers.isBound('post-login')).toBe(true)
    expect((await triggers.run('post-login', loginEvent())).idTokenClaims).toEqual({ length: 13 })
    expect(await apply(FILE)).toContain('  no changes')
    expect(await exportTenantFile(store(), 'default', server.vault)).not.toContain('a secret word')
  })

  it('reads no file from elsewhere', async () => {
    await writeFile(join(folder, 'outside.js'), 'exports.onExecutePostLogin = async () => {}')
    await symlink(join(folder, 'outside.js'), join(folder, 'in', 'link.js'))
    for (const path of ['../outside.js', 'link.js', join(folder, 'outside.js')]) {
      expect(await apply(FILE.replace('./actions/greet.js', path))).toContain(
        `  not applied: actions["Greet"]: ${path} cannot be read beside the tenant file`,
      )
    }
  })

  it('is changed within a second, and unbound by an empty list', async () => {
    await apply(
      FILE.replace('./actions/greet.js', '"exports.onExecutePostLogin = async (e, api) => { api.access.deny(`no`) }"'),
    )
    expect((await (await server.runtime()).triggers.run('post-login', loginEvent())).denied?.reason).toBe('no')
    await apply('triggers: { post-login: [] }')
    expect((await server.runtime()).triggers.isBound('post-login')).toBe(false)
  })
})

describe('what is kept of runs', () => {
  it('is written in one statement, bounded, readable by the command, and logged without console output', async () => {
    const expected: [Record<string, unknown>, string][] = []
    const log = {
      debug: () => {},
      warn: (fields: Record<string, unknown>, sentence: string) => expected.push([fields, sentence]),
    }
    const runs = createRunLog(server.database.pool, log)
    const record = {
      tenantId: 'default',
      at: server.clock.now(),
      trigger: 'post-login' as const,
      action: 'Kept',
      outcome: 'threw',
      reason: 'Error: ada@example.com',
      userId: 'auth0|1',
      clientId: 'web',
      milliseconds: 1.25,
      lines: [{ level: 'log', text: 'a\u0000\ud800\u001b[31m' }],
    }
    for (let i = 0; i < 1005; i += 1) runs.note(record)
    await runs.close()
    expect(expected[0]?.[0]).toMatchObject({ action: 'Kept', outcome: 'threw', user: 'auth0|1' })
    expect(JSON.stringify(expected)).not.toContain('ada@example.com')
    expect(expected.at(-1)).toEqual([{ dropped: 5 }, 'Runs of actions were not recorded, because there were too many.'])
    const kept = await latestRuns(server.database.pool, 'default', { action: 'Kept', limit: 2000 })
    expect(kept).toHaveLength(1000)
    expect(kept[0]).toMatchObject({
      outcome: 'threw',
      milliseconds: 1.25,
      lines: [{ level: 'log', text: 'a\ufffd\ufffd\u001b[31m' }],
    })
  })

  it('is shown without what a terminal would obey', async () => {
    const lines: string[] = []
    const source = { DATABASE_URL: server.database.url, LATCHKEY_SECRET: 'a secret of at least thirty-two characters' }
    const context = { root: process.cwd(), source, say: (line: string) => lines.push(line) }
    await actions(['logs', '--action', 'Kept', '--limit', '1'], context)
    expect(lines).toEqual([
      expect.stringMatching(
        /^2027-.* {2}threw {6}post-login {2}Kept {2}1\.25 ms {2}auth0\|1 web: Error: ada@example\.com$/,
      ),
      '    log: a\ufffd\ufffd [31m',
    ])
    for (const wrong of [[], ['logs', '--limit', '0'], ['logs', '--all'], ['show']])
      await expect(actions(wrong, context)).rejects.toThrow('npm run actions -- logs')
  })
})
