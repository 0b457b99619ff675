// The image of the Dockerfile, run as an unprivileged account on a read-only root file system.
import { setTimeout as sleep } from 'node:timers/promises'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../../lib/kernel/random'
import { freePort } from '../../lib/testing/free-port.mjs'
import { HttpBrowser, signIn } from '../interop/support/http-browser'
import { beginRequest } from '../interop/support/slow-request'
import { type SystemPostgres, startSystemPostgres } from '../interop/support/system-postgres'
import { CALLBACK, TENANT } from '../interop/support/tenant'
import { PASSWORD, PEOPLE } from '../people'
import { ensureBase } from './container/base-image.mjs'
import { type Container, imageSizeMb, makeImage, startContainer } from './container/container'
import { recordFigures, residentMb } from './figures'

const { kim } = PEOPLE
const CLIENT = 'e2e-post'
const SECRET = 'e2e-post-secret-of-the-letters'
/** 230 for the base image and 120 for the server. */
const MAX_SIZE_MB = 350

let base: string
let postgres: SystemPostgres
let container: Container

beforeAll(async () => {
  base = await ensureBase()
  await makeImage()
  postgres = await startSystemPostgres()
  postgres.run('createdb', '--owner=latchkey', 'latchkey')
  const settings = { ...TENANT, DATABASE_URL: postgres.url('latchkey'), LATCHKEY_SECRET: systemRandom.token() }
  container = await startContainer(settings, await freePort())
})
afterAll(async () => {
  await container?.remove()
  await postgres?.stop()
})

async function signInAs(person: { email: string }) {
  const url = `http://localhost:${container.port}`
  const config = await oidc.discovery(new URL(url), CLIENT, undefined, oidc.ClientSecretPost(SECRET), {
    execute: [oidc.allowInsecureRequests],
  })
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const expectedState = oidc.randomState()
  const request = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const callback = await signIn(new HttpBrowser(), request.href, person.email)
  const tokens = await oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState })
  return { config, tokens }
}

describe('the image', () => {
  it(`is ${MAX_SIZE_MB} MB or less, its base included`, async () => {
    expect(await imageSizeMb()).toBeLessThanOrEqual(MAX_SIZE_MB)
  })

  it('runs as an account without privileges, on a root that cannot be written', async () => {
    expect((await container.execute(['id', '-u'])).trim()).toBe('1000')
    await expect(container.execute(['touch', '/app/dist/x'])).rejects.toThrow('Read-only file system')
  })

  it('is found healthy by its own check', async () => {
    await container.checkHealth()
  })

  it('is administered by its own commands', async () => {
    const command = (args: string[], input?: string) => container.execute(['npm', 'run', '--silent', ...args], input)
    expect(await command(['keys'])).toContain('current')
    expect(await command(['migrate', '--', 'status'])).toContain('up to date')
    const file = 'tenant: { friendly_name: Piped }\n'
    expect(await command(['tenant', '--', 'plan', '/dev/stdin'], file)).toContain('Piped')
  })
})

describe('the server in it', () => {
  it('signs a user in for openid-client', async () => {
    const { config, tokens } = await signInAs(kim)
    const sub = tokens.claims()?.sub ?? ''
    expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ name: kim.name })
  })

  it('answers the pages that Next renders', async () => {
    expect((await fetch(`http://localhost:${container.port}/`)).status).toBe(200)
  })

  it('completes all active requests at SIGTERM, and exits with 0', async () => {
    const { tokens } = await signInAs(kim)
    const refreshing = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: CLIENT,
      client_secret: SECRET,
      refresh_token: tokens.refresh_token ?? '',
    })
    const password = new URLSearchParams({ state: 'x', action: 'login', username: kim.email, password: PASSWORD })
    const slowRequests = await Promise.all([
      beginRequest(container.port, '/oauth/token', `${refreshing}`),
      ...Array.from({ length: 20 }, () => beginRequest(container.port, '/u/submit', `${password}`)),
    ])
    recordFigures('container', {
      host: `Container, ${base}`,
      version: `Node.js ${(await container.execute(['node', '--version'])).trim()}`,
      coldStartMs: container.readyAfterMs,
      residentMb: residentMb(container.pid),
      sizeMb: await imageSizeMb(),
    })
    const ended = container.stop('TERM')
    await sleep(200)
    const answers = await Promise.all(slowRequests.map((request) => request.finish()))
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 200', ...Array(20).fill('HTTP/1.1 400')])
    expect(await ended).toBe(0)
  })
})
