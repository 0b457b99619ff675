// The server on Vercel, as far as it can be had without the platform: the real output of its build, each instance of a
// function a process that sees its own files alone, read-only, and is frozen between requests.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../../lib/server/node/launch/run.mjs'
import { freePort } from '../../../lib/testing/free-port.mjs'
import { HttpBrowser, hiddenFields, landing, signIn } from '../../interop/support/http-browser'
import { type SystemPostgres, startSystemPostgres } from '../../interop/support/system-postgres'
import { authorizeRequest, redeem, refresh } from '../../interop/support/tenant'
import { PASSWORD, PEOPLE } from '../../people'
import { type Deployment, deploy } from './deployment'

const { kim } = PEOPLE
const BURST = 40
const project = process.env.HOSTS_VERCEL_PROJECT ?? ''

let database: SystemPostgres
let url: string
let origin: string
let deployment: Deployment
let smtp: SMTPServer
const mails: string[] = []

beforeAll(async () => {
  database = await startSystemPostgres()
  // An ordinary account: of a hundred connections three are for superusers.
  database.run('psql', '-d', 'postgres', '-c', 'CREATE ROLE server LOGIN')
  database.run('createdb', '-O', 'server', 'vercel')
  url = database.url('vercel').replace('latchkey@', 'server@')
  const [port, mailPort] = [await freePort(), await freePort()]
  origin = `http://localhost:${port}`
  smtp = new SMTPServer({
    authOptional: true,
    onData(stream, _session, done) {
      void stream.toArray().then((chunks) => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  smtp.listen(mailPort, '127.0.0.1')
  const settings = {
    NODE_ENV: 'production' as const,
    DATABASE_URL: url,
    LATCHKEY_SECRET: 'a secret of the trial, of thirty-two characters',
    APP_URL: origin,
  }
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mailPort}?ignoreTLS=true`, SMTP_FROM: 'Trial <login@e2e.test>' }
  await command(settings, 'migrate')
  await command(settings, 'tenant', 'apply', fileURLToPath(new URL('tenant.yaml', import.meta.url)))
  deployment = await deploy(project, port, {
    ...settings,
    ...mail,
    VERCEL: '1',
    VERCEL_ENV: 'production',
    VERCEL_REGION: 'fra1',
  })
})

afterAll(async () => {
  if (deployment) recordFigures()
  await deployment?.close()
  await new Promise<void>((closed) => (smtp ? smtp.close(closed) : closed()))
  await database?.stop()
})

/** What an operator runs against the database from elsewhere. */
async function command(settings: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  const { code, output } = await capture(process.execPath, ['lib/server/node/cli.mjs', ...args], settings)
  if (code !== 0) throw new Error(output)
}

const connections = async (): Promise<number> => {
  const client = new Client({ connectionString: database.url('vercel') })
  await client.connect()
  const { rows } = await client.query<{ open: string }>(
    `SELECT count(*) AS open FROM pg_stat_activity WHERE usename = 'server'`,
  )
  await client.end()
  return Number(rows[0]?.open)
}

const postJson = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const answer = await fetch(origin + path, init)
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, string> }
}

const payload = (token = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

it('signs in on the hosted page, gives tokens with the claim of an action, and refreshes them', async () => {
  const { url: authorizeUrl, verifier } = authorizeRequest(origin)
  const callback = await signIn(new HttpBrowser(), authorizeUrl, kim.email)
  expect(callback.searchParams.get('state')).toBe('state-of-the-app')
  const { status, body } = await redeem(origin, 'e2e-spa', callback, verifier)
  expect(status).toBe(200)
  expect(payload(body.id_token)).toMatchObject({ email: kim.email, 'https://e2e.test/hello': kim.email })
  const user = await fetch(`${origin}/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } })
  expect(await user.json()).toMatchObject({ email: kim.email })
  expect(await refresh(origin, 'e2e-spa', body.refresh_token)).toMatchObject({ status: 200 })
})

it('gives a hosted page its policy with a nonce', async () => {
  const { location } = await new HttpBrowser().get(authorizeRequest(origin).url)
  const page = await fetch(location ?? '', { redirect: 'manual' })
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'nonce-[\w-]+'/)
})

it('sends a mail after the answer that caused it', async () => {
  const resetRequest = { client_id: 'e2e-spa', email: kim.email, connection: 'People' }
  expect(await postJson('/dbconnections/change_password', resetRequest)).toMatchObject({ status: 200 })
  await expect.poll(() => mails.filter((mail) => mail.includes(`To: ${kim.email}`))).toHaveLength(1)
})

it('asks for a second factor, takes one on, and gives tokens for its code', async () => {
  const form = {
    grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
    client_id: 'e2e-strong',
    username: kim.email,
    password: PASSWORD,
    realm: 'People',
    scope: 'openid',
  }
  const refused = await postJson('/oauth/token', form)
  expect(refused).toMatchObject({ status: 403, body: { error: 'mfa_required' } })
  const bearer = { authorization: `Bearer ${refused.body.mfa_token}` }
  const added = await postJson('/mfa/associate', { authenticator_types: ['otp'] }, bearer)
  expect(added.status).toBe(200)
  const otp = new TOTP({ secret: Secret.fromBase32(added.body.secret ?? '') }).generate()
  const grant_type = 'http://auth0.com/oauth/grant-type/mfa-otp'
  const given = await postJson('/oauth/token', {
    grant_type,
    client_id: 'e2e-strong',
    mfa_token: refused.body.mfa_token,
    otp,
  })
  expect(given).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
})

it('signs in to a SAML application, at an address with a parameter', async () => {
  const browser = new HttpBrowser()
  const start = `${origin}/samlp/e2e-chart?RelayState=deep`
  const page = landing(await browser.get(start), start)
  const { SAMLResponse = '', RelayState } = hiddenFields(await posted(browser, page))
  expect(RelayState).toBe('deep')
  expect(Buffer.from(SAMLResponse, 'base64').toString()).toContain(kim.email)
})

async function posted(browser: HttpBrowser, page: URL): Promise<string> {
  const form = hiddenFields((await browser.get(page.href)).html)
  return (
    await browser.post(`${origin}/u/submit`, { ...form, action: 'login', username: kim.email, password: PASSWORD })
  ).html
}

it('opens no runtime for the function that only sets headers', () => {
  expect(deployed('_middleware').instances.map((instance) => instance.output())).toEqual([''])
})

it('leaves no connection open in a process that is frozen', async () => {
  await deployment.rested()
  await expect.poll(connections, { timeout: 10_000 }).toBe(0)
})

it(`answers ${BURST} concurrent requests, each in a process that starts cold, and 97 connections`, async () => {
  noteMemory()
  await deployment.cool()
  const browser = new HttpBrowser()
  const start = authorizeRequest(origin).url
  const page = landing(await browser.get(start), start)
  await deployment.cool()
  const answers = await Promise.all(Array.from({ length: BURST }, async () => (await browser.get(page.href)).status))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(deployed('_not-found').instances).toHaveLength(BURST)
  await deployment.rested()
  await expect.poll(connections, { timeout: 10_000 }).toBe(0)
})

function deployed(name: string) {
  const found = deployment.functions.get(join('/', `${name}.func`))
  if (!found) throw new Error(`no ${name} among ${Array.from(deployment.functions.keys())}`)
  return found
}

/** By function, in MB: the most that one of its processes held. */
const memory = new Map<string, number>()

/** Before processes are ended. */
function noteMemory(): void {
  for (const [name, { instances }] of deployment.functions)
    memory.set(name, Math.max(memory.get(name) ?? 0, ...instances.map((instance) => instance.residentMb())))
}

/** Of the largest function; a cold start is one that met no other. */
function recordFigures(): void {
  noteMemory()
  const all = Array.from(deployment.functions, ([name, { is, coldStartsMs }]) => ({
    name,
    coldStartMs: Math.round(Math.min(...coldStartsMs)),
    residentMb: Math.round(memory.get(name) ?? 0),
    sizeMb: Math.round(is.sizeMb),
  }))
  const [largest] = all.toSorted((a, b) => b.sizeMb - a.sizeMb)
  const { coldStartMs, residentMb, sizeMb } = largest ?? {}
  writeFileSync(
    process.env.HOSTS_VERCEL_FIGURES ?? '',
    JSON.stringify({ coldStartMs, residentMb, sizeMb, functions: all }),
  )
}
