// Two servers on one PostgreSQL act as one server (threat-model.md RE6): a flow that starts on one continues on the other, and a
// session that ends on one has ended on both.

import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, PEOPLE } from '../people'
import { balanced, loginAcross, loginOn } from './support/balanced'
import { signIn } from './support/http-browser'
import { runCommand, type ServerProcess, type Settings, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { authorizeRequest, CALLBACK, FAREWELL, postToken, redeem, refresh } from './support/tenant'

const { dan, kim, tab } = PEOPLE
const CLIENT = 'e2e-spa'

let database: SharedDatabase
let settings: Settings
let a: ServerProcess
let b: ServerProcess

beforeAll(async () => {
  database = await shareDatabase()
  settings = database.settings
  // Both start at once: both find an empty database, and both run the bootstrap.
  ;[a, b] = await Promise.all([startServer(settings), startServer(settings)])
})
afterAll(async () => {
  await Promise.all([a?.end('SIGTERM'), b?.end('SIGTERM')])
  await database?.remove()
})

const userinfoStatus = async (instance: ServerProcess, token: string): Promise<number> =>
  (await fetch(`${instance.url}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status

it('finishes on B the login that A began, and redeems on A the code that B gave', async () => {
  const { shown, callback, verifier, tokens } = await loginAcross([a, b], kim.email, CLIENT)
  expect(shown.status).toBe(200)
  expect(tokens).toMatchObject({ status: 200 })
  expect(await redeem(b.url, CLIENT, callback, verifier)).toMatchObject({ status: 403 })
})

it('B sees at once who signed in and out on A', async () => {
  const { at, browser } = await loginOn(a, kim.email)
  at.instance = b
  const silent = () => signIn(browser, authorizeRequest(ORIGIN, { prompt: 'none' }).url, kim.email)
  expect((await silent()).searchParams.get('code')).toBeTruthy()
  at.instance = a
  const cookies = [...browser.cookies]
  await browser.get(`${ORIGIN}/v2/logout?returnTo=${encodeURIComponent(FAREWELL)}`)
  at.instance = b
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await silent()).searchParams.get('error')).toBe('login_required')
})

it('ends on B what was revoked on A', async () => {
  const { callback, verifier } = await loginOn(a, tab.email)
  const { body } = await redeem(a.url, CLIENT, callback, verifier)
  expect(await userinfoStatus(b, body.access_token)).toBe(200)
  const form = new URLSearchParams({ client_id: CLIENT, token: body.refresh_token })
  expect((await fetch(`${a.url}/oauth/revoke`, { method: 'POST', body: form })).status).toBe(200)
  expect(await refresh(b.url, CLIENT, body.refresh_token)).toMatchObject({ status: 403 })
  expect(await userinfoStatus(b, body.access_token)).toBe(401)
})

it('gives the same successor to a refresh token that races on both', async () => {
  const { callback, verifier } = await loginOn(a, kim.email)
  const { body } = await redeem(b.url, CLIENT, callback, verifier)
  const answers = await Promise.all([a, b, a, b].map(({ url }) => refresh(url, CLIENT, body.refresh_token)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1)
})

it('counts wrong passwords together', async () => {
  const { at, browser } = balanced(a)
  const { url } = authorizeRequest(ORIGIN)
  const state = new URL((await browser.get(url)).location ?? '').searchParams.get('state') ?? ''
  const submit = (password: string) =>
    browser.post(`${ORIGIN}/u/submit`, { state, action: 'login', username: dan.email, password })
  for (let attempt = 0; attempt < 10; attempt += 1) {
    at.instance = attempt % 2 === 0 ? a : b
    expect((await submit('wrong')).location).toContain('notice=wrong_credentials')
  }
  for (const instance of [a, b]) {
    at.instance = instance
    expect((await submit(PASSWORD)).location).toContain('notice=too_many_attempts')
  }
})

it('both see within a second a manual change in the database', async () => {
  const pool = new Client({ connectionString: database.url })
  await pool.connect()
  const setCallbacks = (callbacks: string[]) =>
    pool.query(`UPDATE client SET settings = jsonb_set(settings, '{callbacks}', $2) WHERE client_id = $1`, [
      CLIENT,
      JSON.stringify(callbacks),
    ])
  const admits = async ({ url }: ServerProcess): Promise<boolean> => {
    const request = authorizeRequest(ORIGIN).url.replace(ORIGIN, url)
    return (await fetch(request, { redirect: 'manual' })).status === 302
  }
  expect(await Promise.all([a, b].map(admits))).toEqual([true, true])
  await setCallbacks(['https://elsewhere.test/cb'])
  await sleep(1000)
  expect(await Promise.all([a, b].map(admits))).toEqual([false, false])
  await setCallbacks([CALLBACK])
  await sleep(1000)
  expect(await Promise.all([a, b].map(admits))).toEqual([true, true])
  await pool.end()
})

it('rotates the signing keys under both without one failed request', async () => {
  const { callback, verifier } = await loginOn(a, kim.email)
  const { body: first } = await redeem(a.url, CLIENT, callback, verifier)
  const kidOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
  const traffic = { running: true, token: first.refresh_token, kids: new Set<string>(), failures: [] as unknown[] }

  const run = async () => {
    for (let turn = 0; traffic.running; turn += 1) {
      const [here, there] = turn % 2 === 0 ? [a, b] : [b, a]
      const answer = await refresh(here.url, CLIENT, traffic.token)
      if (answer.status !== 200) traffic.failures.push(answer)
      else {
        traffic.token = answer.body.refresh_token
        traffic.kids.add(kidOf(answer.body.id_token))
        const seen = await userinfoStatus(there, answer.body.access_token)
        if (seen !== 200) traffic.failures.push({ userinfo: seen })
        // A relying party that never saw this server before must find the key at the other one.
        await jwtVerify(answer.body.id_token, createRemoteJWKSet(new URL(`${there.url}/.well-known/jwks.json`))).catch(
          (error: unknown) => traffic.failures.push(error),
        )
      }
      // A user may request user-info three hundred times a minute.
      await sleep(50)
    }
  }
  const running = run()
  const kid = kidOf(first.id_token)
  await runCommand(['keys', 'rotate'], settings)
  const deadline = performance.now() + 20_000
  while (traffic.kids.size < 2 && performance.now() < deadline) await sleep(50)
  await sleep(1500)
  traffic.running = false
  await running

  expect(traffic.failures).toEqual([])
  expect([...traffic.kids].filter((each) => each !== kid)).toHaveLength(1)
  for (const instance of [a, b]) {
    expect(await userinfoStatus(instance, first.access_token)).toBe(200)
    const answer = await refresh(instance.url, CLIENT, traffic.token)
    expect(kidOf(answer.body.id_token)).not.toBe(kid)
    traffic.token = answer.body.refresh_token
  }
})

it('answers wherever the request is sent while one of them stops', async () => {
  const { callback, verifier } = await loginOn(a, kim.email)
  const { body } = await redeem(a.url, CLIENT, callback, verifier)
  const stopped = a.end('SIGTERM')
  const form = { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: body.refresh_token }
  expect(await postToken(b.url, form)).toMatchObject({ status: 200 })
  expect(await stopped).toMatchObject({ code: 0 })
  a = await startServer(settings)
  expect(await userinfoStatus(a, body.access_token)).toBe(200)
})
