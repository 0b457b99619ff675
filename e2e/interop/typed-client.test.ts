// A typed client made from both OpenAPI documents by the unmodified npm packages `openapi-typescript` and `openapi-fetch`: a program
// compiles against the types, in strict mode, and drives both APIs.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DataDir, makeDataDir } from './support/data-dir'
import { type ServerProcess, startServer } from './support/server-process'

const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths as Authentication } from './authentication.js'
import type { paths as Management } from './management.js'

const [, , url = ''] = process.argv
const credentials = { client_id: 'e2e-toolbox', client_secret: 'the-secret-of-the-toolbox-1234567890' }

const authentication = createClient<Authentication>({ baseUrl: url })
const metadata = await authentication.GET('/.well-known/openid-configuration')
const tokens = await authentication.POST('/oauth/token', {
  body: { grant_type: 'client_credentials', ...credentials, audience: \`\${url}/api/v2/\` },
})
if (!tokens.data || 'error' in tokens.data) throw new Error('no token')
const introspected = await authentication.POST('/oauth/introspect', {
  body: { ...credentials, token: tokens.data.access_token },
})
const refused = await authentication.POST('/oauth/token', {
  body: { grant_type: 'client_credentials', client_id: 'e2e-toolbox', client_secret: 'wrong' },
})

const authorization = \`Bearer \${tokens.data.access_token}\`
const management = createClient<Management>({ baseUrl: \`\${url}/api/v2\`, headers: { authorization } })
const created = await management.POST('/roles', { body: { name: 'Typed', description: 'by a typed client' } })
if (!created.data) throw new Error(created.error.message)
const params = { path: { id: created.data.id } }
const changed = await management.PATCH('/roles/{id}', { params, body: { description: 'changed' } })
const listed = await management.GET('/roles', { params: { query: { per_page: '10' } } })
const removed = await management.DELETE('/roles/{id}', { params })
const missing = await management.GET('/roles/{id}', { params })

// @ts-expect-error A code exchange needs the code.
export const withoutCode = () => authentication.POST('/oauth/token', { body: { grant_type: 'authorization_code' } })
// @ts-expect-error A role needs a name.
export const withoutName = () => management.POST('/roles', { body: { description: 'nameless' } })
// @ts-expect-error There is no such path.
export const elsewhere = () => management.GET('/nowhere')

const issuer: string | undefined = metadata.data?.issuer
const active: boolean | undefined = introspected.data?.active
const description: string | undefined = changed.data?.description
const names: string[] | undefined = listed.data?.map(({ name }) => name)
console.log(
  JSON.stringify({
    issuer,
    active,
    refused: refused.error?.error,
    description,
    names,
    removed: removed.response.status,
    missing: missing.error?.statusCode,
  }),
)
`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Below the root, where the packages are found. */
const FOLDER = join(ROOT, 'test-results', 'typed-client')

const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: ROOT })

let data: DataDir
let server: ServerProcess

beforeAll(async () => {
  data = await makeDataDir()
  server = await startServer({
    LATCHKEY_CONFIG: fileURLToPath(new URL('management.yaml', import.meta.url)),
    TOOL_SCOPES: JSON.stringify(['create:roles', 'read:roles', 'update:roles', 'delete:roles']),
    LATCHKEY_DATA_DIR: data.path,
  })
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

async function writeTypes(name: string, path: string): Promise<void> {
  const document = join(FOLDER, `${name}.json`)
  await writeFile(document, await (await fetch(`${server.url}${path}`)).text())
  const compiler = fileURLToPath(new URL('support/typescript-5.mjs', import.meta.url))
  const generator = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
  await run('--import', compiler, generator, document, '--output', join(FOLDER, `${name}.d.ts`))
}

it('compiles, refuses wrong requests, and drives both APIs', async () => {
  await writeTypes('authentication', '/openapi.json')
  await writeTypes('management', '/api/v2/openapi.json')
  await writeFile(join(FOLDER, 'program.mts'), PROGRAM)
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--ignoreConfig',
  ]
  const compiled = await run('node_modules/typescript/bin/tsc', ...strict, join(FOLDER, 'program.mts')).catch(
    (error) => error,
  )
  expect(compiled.stdout).toBe('')
  const { code } = await transform(PROGRAM, { loader: 'ts', format: 'esm' })
  await writeFile(join(FOLDER, 'program.mjs'), code)
  const { stdout } = await run(join(FOLDER, 'program.mjs'), server.url)
  expect(JSON.parse(stdout)).toEqual({
    issuer: `${server.url}/`,
    active: true,
    refused: 'access_denied',
    description: 'changed',
    names: ['Typed'],
    removed: 204,
    missing: 404,
  })
})
