// A login at a plain OAuth 2.0 server whose profile a script fetches (threat-model.md AC18).
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../kernel/json'
import { locationOf, outcomeOf, SPA } from '../../testing/journey'
import { addManager, type Manager } from '../../testing/management'
import { GITHUB_TOKEN, signInBy, type UpstreamTestServer, upstreamTestServer } from '../../testing/upstream'
import type { RunRecord } from '../tenant-code/actions/runs'
import { profileByScript } from './script-profile'

let server: UpstreamTestServer
let manager: Manager
let api: Server
let url: string
const runs: RunRecord[] = []

beforeAll(async () => {
  server = await upstreamTestServer({ actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
  await server.addClient(SPA)
  api = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ no: 7, mail: 'kim@mail.test', by: request.headers.authorization }))
  })
  await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/me`
})
afterAll(async () => {
  api.close()
  await server.close()
})
beforeEach(() => {
  runs.length = 0
})

const options = (fetchUserProfile: string): JsonObject => ({
  ...{ client_id: 'us', authorizationURL: 'https://plain.test/authorize', tokenURL: 'https://plain.test/token' },
  scripts: { fetchUserProfile },
})

const CONTEXT = { access_token: 'hush-access', refresh_token: 'hush-refresh', token_type: 'bearer', shop: 'acme' }

async function fetched(script: string) {
  const runtime = await server.runtime()
  const connection = { name: 'Shop', strategy: 'oauth2', settings: { options: options(script) } } as never
  return profileByScript(connection, 'hush-access', CONTEXT, runtime)
}

describe('the profile', () => {
  it('is what the script calls back with, its id as the subject', async () => {
    const script = `function (accessToken, ctx, callback) {
      fetch('${url}', { headers: { authorization: 'Bearer ' + accessToken } }).then((answer) => answer.json()).then((me) =>
        callback(null, { user_id: me.no, email: me.mail, email_verified: true, name: me.by.length + ctx.shop }), callback)
    }`
    expect(await fetched(script)).toEqual({ sub: '7', email: 'kim@mail.test', email_verified: true, name: '18acme' })
    expect(runs).toMatchObject([{ action: 'Shop/fetchUserProfile', outcome: 'ok' }])
  })

  it('is what a promise answers, also by its id', async () => {
    expect(await fetched(`async (token, context) => ({ id: 'x', nickname: context.shop })`)).toEqual({
      ...{ sub: 'x', nickname: 'acme' },
    })
  })

  it.each([
    ['throws', `() => { throw new Error('hush-access') }`, 'failed'],
    ['answers nothing', `async () => null`, 'no profile'],
    ['answers a text', `async () => 'kim'`, 'no profile'],
    ['answers no id', `async () => ({ email: 'kim@mail.test' })`, 'no user_id'],
    ['answers an invalid id', `async () => ({ user_id: {} })`, 'no profile'],
    ['never answers', `(token, context, callback) => {}`, 'failed'],
    ['refuses', `(token, context, callback) => callback(new UnauthorizedError('not you'))`, 'not you'],
  ])('fails the login where the script %s', async (_what, script, message) => {
    await expect(fetched(script)).rejects.toThrow(message)
  })

  it('is fetched without a token in any record', async () => {
    const script = `async (token, context) => { console.log(token, JSON.stringify(context)); throw new Error(context.refresh_token) }`
    await expect(fetched(script)).rejects.toThrow('failed')
    expect(JSON.stringify(runs)).not.toMatch(/hush/)
  })

  it('waits for its packages', async () => {
    await expect(fetched(`async () => require('left-pad')`)).rejects.toThrow('packages are not there')
  })
})

describe('the script', () => {
  it('is shown as it is sent, and its packages are built', async () => {
    const script = `async () => require('left-pad')`
    const made = await manager.post('/connections', { name: 'Shop', strategy: 'oauth2', options: options(script) })
    expect([made.status, made.json().options]).toMatchObject([201, { scripts: { fetchUserProfile: script } }])
    const { rowCount } = await server.database.pool.query('SELECT 1 FROM script_build WHERE build_due_at IS NOT NULL')
    expect(rowCount).toBe(1)
  })

  it.each(['function (', `() => require('argon2')`])('is refused where it cannot run: %s', async (script) => {
    const body = { name: 'Bad', strategy: 'oauth2', options: options(script) }
    expect((await manager.post('/connections', body)).status).toBe(400)
  })
})

describe('a login', () => {
  const add = (name: string, fetchUserProfile: string, more: JsonObject = {}) =>
    server.addProvider(name, 'oauth2', {
      options: {
        ...{ authorizationURL: 'https://github.com/login/oauth/authorize', tokenURL: GITHUB_TOKEN },
        ...{ scripts: { fetchUserProfile }, ...more },
      } as never,
    })
  const users = async () =>
    (await server.database.pool.query('SELECT id, email, email_verified FROM "user" ORDER BY id')).rows

  it('is of the person that the script names, at this connection only', async () => {
    await server.addUser({ id: 'ada', email: 'ada@mail.test', data: { emailVerified: true } })
    const script = `async () => ({ user_id: 'ada', email: 'ada@mail.test', email_verified: true })`
    await add('one', script)
    await add('two', script, { trust_email_claim: true })
    const person = { sub: 'x', email: 'x@mail.test' }
    expect(outcomeOf(await signInBy(server.browser(), server, 'one', person))).toBe('code')
    // A verified address is offered to be linked, by a proof of the other account.
    expect(locationOf(await signInBy(server.browser(), server, 'two', person)).pathname).toBe('/u/link-account')
    expect(await users()).toEqual([
      { id: 'auth0|ada', email: 'ada@mail.test', email_verified: true },
      { id: 'oauth2|one|ada', email: 'ada@mail.test', email_verified: false },
      { id: 'oauth2|two|ada', email: 'ada@mail.test', email_verified: true },
    ])
  })

  it('fails with the page’s own notice where the script fails', async () => {
    await add('broken', `() => { throw new Error('down') }`)
    const answer = await signInBy(server.browser(), server, 'broken', { sub: 'x', email: 'x@mail.test' })
    expect(locationOf(answer).searchParams.get('notice')).toBe('upstream_failed')
    expect(JSON.stringify(await server.audited())).toContain('script_failed')
  })
})
