// docs/migrate-from-auth0.md, step by step: the vendor's tool exports a tenant with its identifiers, a new server starts with the
// export, a user comes with a bcrypt hash, and signs in to an application that knows only the new domain.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/bcrypt'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { a0deploy, type ManagedTenant, startManagedTenant, TOOLBOX } from './support/managed-tenant'
import { type ServerProcess, startServer } from './support/server-process'
import { authorizeRequest, postToken, redeem } from './support/tenant'

const CLIENT = 'e2e-storefront'
const PASSWORD = 'carried over from the old tenant'
const USER = { user_id: '5f7c8ec7c33c6c004bbafe82', email: 'ann@old.example', email_verified: true, name: 'Ann' }

let old: ManagedTenant
let folder: string
let data: DataDir
let server: ServerProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-migration-'))
  data = await makeDataDir()
  old = await startManagedTenant()
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await old?.end()
  await data?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Steps 1 and 2: the export, with a secret and a grant for the new domain. */
async function exported(origin: string): Promise<string> {
  const identifiers = { AUTH0_EXPORT_IDENTIFIERS: 'true' }
  await a0deploy(old, folder, ['export', '--format=yaml', '--output_folder=tenant'], identifiers)
  const file = join(folder, 'tenant', 'tenant.yaml')
  const text = (await readFile(file, 'utf8'))
    .replace(`client_id: ${TOOLBOX.clientId}`, `$&\n    client_secret: @@TOOLBOX_SECRET@@`)
    .replace(
      /^clientGrants: \[\]$/m,
      `clientGrants:\n  - client_id: Toolbox\n    audience: ${origin}/api/v2/\n    scope: [create:users, read:users, read:connections]`,
    )
  await writeFile(file, text)
  return file
}

it('moves a tenant, its applications and a user with the password', async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const settings = { APP_URL: origin, LATCHKEY_DATA_DIR: data.path, TOOLBOX_SECRET: TOOLBOX.clientSecret }
  server = await startServer({ ...settings, LATCHKEY_CONFIG: await exported(origin) }, port)

  const machine = { client_id: TOOLBOX.clientId, client_secret: TOOLBOX.clientSecret }
  const audience = `${origin}/api/v2/`
  const { body } = await postToken(origin, { grant_type: 'client_credentials', ...machine, audience })
  const headers = { authorization: `Bearer ${body.access_token}` }
  const api = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${audience}${path}`, { ...init, headers })
    expect(answer.status, path).toBeLessThan(300)
    return (await answer.json()) as Record<string, unknown>
  }

  const [database] = (await api('connections?strategy=auth0')) as unknown as { id: string; name: string }[]
  expect(database?.name).toBe('Username-Password-Authentication')
  const form = new FormData()
  form.set('connection_id', database?.id ?? '')
  const line = JSON.stringify({ ...USER, password_hash: await hash(PASSWORD, 10) })
  form.set('users', new Blob([`${line}\n`]), 'users.json')
  const { id } = await api('jobs/users-imports', { method: 'POST', body: form })
  await expect.poll(() => api(`jobs/${id}`)).toMatchObject({ status: 'completed', summary: { inserted: 1, failed: 0 } })

  const { url, verifier } = authorizeRequest(origin, { client_id: CLIENT })
  const callback = await signIn(new HttpBrowser(), url, USER.email, PASSWORD)
  const tokens = await redeem(origin, CLIENT, callback, verifier)
  expect(tokens.status).toBe(200)
  expect(decodeJwt(tokens.body.id_token)).toMatchObject({
    sub: `auth0|${USER.user_id}`,
    email: USER.email,
    aud: CLIENT,
  })
})
