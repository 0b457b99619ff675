// The scripts of a custom database in the Management API: stored and shown, with sealed values.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openValues, type SealedByName } from '../../../data/connections/upstream/secrets'
import type { JsonObject } from '../../../kernel/json'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const FUNCTION = 'function (email, callback) { callback(null) }'
const ALL = [
  ...['login', 'get_user', 'create', 'verify', 'change_password', 'change_email', 'change_username'],
  ...['change_phone_number', 'delete'],
]
const scripts = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, FUNCTION]))

let count = 0
async function make(options: JsonObject) {
  count += 1
  return manager.post('/connections', { name: `Legacy-${count}`, strategy: 'auth0', options })
}

async function sealedOf(id: unknown) {
  const { rows } = await server.database.pool.query('SELECT settings FROM connection WHERE id = $1', [id])
  return { text: JSON.stringify(rows[0]), sealed: (rows[0].settings.sealed ?? {}) as SealedByName }
}

const configurationOf = async (id: unknown) => openValues('configuration', (await sealedOf(id)).sealed, server.vault)

describe('the options of a custom database', () => {
  it('are shown as they are sent, and change as a whole', async () => {
    const options = {
      ...{ enabledDatabaseCustomization: true, import_mode: false, enable_script_context: true },
      customScripts: scripts(...ALL),
    }
    const made = (await make(options)).json()
    expect(made.options).toEqual(options)
    expect(await lastReported(server)).toEqual([])
    const changed = { enabledDatabaseCustomization: true, customScripts: scripts('login') }
    const answer = await manager.patch(`/connections/${made.id}`, { options: changed })
    expect(answer.json().options).toEqual(changed)
  })

  it('are reported where they have no effect', async () => {
    const values = { configuration: { HOST: 'db' }, enable_script_context: true, import_mode: true }
    await make({ customScripts: scripts('login'), ...values })
    expect([...(await lastReported(server))].sort()).toEqual([
      ...['options.configuration', 'options.customScripts', 'options.enable_script_context', 'options.import_mode'],
    ])
    await make({ enabledDatabaseCustomization: true, import_mode: true, customScripts: scripts(...ALL) })
    expect([...(await lastReported(server))].sort()).toEqual(
      ALL.slice(2)
        .map((name) => `options.customScripts.${name}`)
        .sort(),
    )
  })

  it.each([
    ['a script that is no JavaScript', { customScripts: { login: 'function (' } }, 'is no JavaScript'],
    ['a script that requires what is not there', { customScripts: { login: 'function () { require("fs") }' } }, 'fs'],
    ['a script that is no text', { customScripts: { login: 7 } }, 'customScripts'],
    ['a script that is too long', { customScripts: { login: `function () {}${' '.repeat(100_000)}` } }, '100000'],
    ['a value that is no text', { configuration: { HOST: 7 } }, 'configuration'],
    ['a value with a strange name', { configuration: { 'A B': 'x' } }, 'configuration'],
    ['too many values', { configuration: Object.fromEntries([...Array(101).keys()].map((n) => [`N${n}`, ''])) }, '100'],
  ])('the options refuse %s', async (_what, options, message) => {
    const answer = await make({ enabledDatabaseCustomization: true, ...options })
    expect(answer.status).toBe(400)
    expect(answer.json().message).toContain(message)
  })
})

describe('the values of its configuration', () => {
  it('are sealed, shown as masks, and kept where a mask comes back', async () => {
    const bareConfiguration = { KEY: 'hush-bare' }
    const made = (await make({ configuration: { HOST: 'hush-host', KEY: 'older' }, bareConfiguration })).json()
    expect(made.options).toEqual({ configuration: { HOST: '********', KEY: '********' } })
    expect((await sealedOf(made.id)).text).not.toMatch(/hush|older/)
    expect(await configurationOf(made.id)).toEqual({ HOST: 'hush-host', KEY: 'hush-bare' })
    const read = (await manager.get(`/connections/${made.id}`)).json()
    const before = await sealedOf(made.id)
    await manager.patch(`/connections/${made.id}`, { options: read.options as JsonObject })
    expect(await sealedOf(made.id)).toEqual(before)
    const configuration = { HOST: '********', NEW: 'hush-new', ABSENT: '********', constructor: '********' }
    const changed = await manager.patch(`/connections/${made.id}`, { options: { configuration } })
    expect(changed.json().options).toEqual({ configuration: { HOST: '********', NEW: '********' } })
    expect(await configurationOf(made.id)).toEqual({ HOST: 'hush-host', NEW: 'hush-new' })
    await manager.patch(`/connections/${made.id}`, { options: {} })
    expect(await sealedOf(made.id)).toMatchObject({ sealed: {} })
  })

  it('are in no log', async () => {
    const made = (await make({ configuration: { HOST: 'hush-logged' } })).json()
    await manager.patch(`/connections/${made.id}`, { options: { configuration: { HOST: 'hush-again' } } })
    expect(JSON.stringify(await server.audited())).not.toMatch(/hush-(logged|again)/)
  })

  it('of another strategy are masked and not stored', async () => {
    const options = { client_id: 'ours', configuration: { HOST: 'hush-other' }, bareConfiguration: { KEY: 'hush-key' } }
    const made = (await manager.post('/connections', { name: 'Other', strategy: 'oauth2', options })).json()
    expect(made.options).toMatchObject({ configuration: { HOST: '********' } })
    expect((await sealedOf(made.id)).text).not.toContain('hush')
  })
})
