// The vendor's `auth0-deploy-cli`, as its README says: it fills a new tenant, exports it in both forms, finds no difference in
// its own export, changes and deletes. The server's own export agrees with the tool's. The vendor's scopes suffice for it.
import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { MANAGEMENT_SCOPES } from '../../lib/data/apis/management-scopes'
import { VENDOR_SCOPES } from '../../lib/testing/management'
import { a0deploy, type ManagedTenant, startManagedTenant } from './support/managed-tenant'
import { runCommand } from './support/server-process'

const SHOP = fileURLToPath(new URL('deploy', import.meta.url))

const PEM = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).publicKey

let tenant: ManagedTenant
let folder: string

type Entry = Record<string, unknown> & { name?: string }
type Tenant = Record<string, Entry | Entry[]>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-deploy-'))
  await cp(SHOP, join(folder, 'shop'), { recursive: true })
  tenant = await startManagedTenant()
})
afterAll(async () => {
  await tenant?.end()
  await rm(folder, { recursive: true, force: true })
})

const runWith = (settings: Record<string, string>, ...args: string[]): Promise<string> =>
  a0deploy(tenant, folder, args, { AUTH0_KEYWORD_REPLACE_MAPPINGS: JSON.stringify({ ENV: 'test' }), ...settings })

const run = (...args: string[]): Promise<string> => runWith({ AUTH0_ALLOW_DELETE: 'true' }, ...args)

/** Imports, and deletes what the file does not have. */
const importing = (file: string): Promise<string> => run('import', `--input_file=${file}`)

/** The changes that an import would make, as `Roles UPDATE Clerk`. */
async function changesOf(file: string, deletes = true): Promise<string[]> {
  const settings = { AUTH0_ALLOW_DELETE: String(deletes) }
  const output = await runWith(settings, 'import', `--input_file=${file}`, '--dry_run=preview')
  expect(output).toContain('Dry Run completed successfully')
  let resource = ''
  return output.split('\n').flatMap((line) => {
    const [named, status, name] = line
      .split('│')
      .slice(1, 4)
      .map((cell) => cell.trim())
    resource = named || resource
    return status === 'CREATE' || status === 'UPDATE' || status === 'DELETE' ? [`${resource} ${status} ${name}`] : []
  })
}

const exportTo = (format: 'yaml' | 'directory', into: string): Promise<string> =>
  run('export', `--format=${format}`, `--output_folder=${into}`)

const read = (...path: string[]): Promise<string> => readFile(join(folder, ...path), 'utf8')

/** The order of lists is the tool's or the server's own. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ordered(member)]))
}

const byName = (entries: Entry[]): Record<string, unknown> =>
  Object.fromEntries(entries.map((entry) => [entry.name ?? `${entry.client_id} ${entry.audience}`, ordered(entry)]))

/** A section as an object: lists by the names of their entries. */
const sectionOf = (section: Entry | Entry[] | undefined): unknown =>
  Array.isArray(section) ? byName(section) : ordered(section)

/** Secrets leave the server as masks, which the tool writes as placeholders. It sends them on every import. */
const WITH_SECRETS = [
  'Connections UPDATE google',
  'Connections UPDATE partner',
  'EmailProvider UPDATE smtp',
  'LogStreams UPDATE Archive',
  'PhoneProviders UPDATE twilio',
]

describe('auth0-deploy-cli', () => {
  let shop: Tenant
  let exported: Tenant

  it('fills a tenant from a file, deletes what the file does not have, and exports what the file says', async () => {
    const text = (await readFile(join(SHOP, 'tenant.yaml'), 'utf8')).replaceAll('##ENV##', 'test')
    shop = parse(text) as Tenant
    await importing('shop/tenant.yaml')
    await Promise.all([exportTo('yaml', 'first'), exportTo('directory', 'folders')])
    exported = parse(await read('first', 'tenant.yaml')) as Tenant
    // The tool spares its own client.
    expect(Object.keys(byName(exported.clients as Entry[]))).toEqual(
      [...(shop.clients as Entry[]).map(({ name }) => name), 'Toolbox'].sort(),
    )
    expect(Object.keys(byName(exported.databases as Entry[]))).toEqual(['customers'])
    const {
      actions,
      connections,
      emailProvider,
      emailTemplates,
      guardianFactors,
      logStreams,
      phoneProviders,
      ...others
    } = shop
    const { tenant: settings, ...rest } = others
    for (const [name, section] of Object.entries(rest))
      expect(sectionOf(exported[name]), name).toMatchObject(sectionOf(section) as object)
    expect(exported.tenant).toMatchObject(settings as Entry)
    expect(exported.guardianFactors).toEqual(expect.arrayContaining(guardianFactors as Entry[]))
    expect(exported.actions).toMatchObject([
      { name: 'add-plan', deployed: true, status: 'built', secrets: [{ name: 'PLAN_KEY' }] },
    ])
    expect(exported.emailProvider).toMatchObject({ name: 'smtp', credentials: { smtp_host: 'mail.shop.example' } })
    expect(exported.logStreams).toMatchObject([{ name: 'Archive', type: 'http', status: 'active' }])
    expect(exported.phoneProviders).toMatchObject([{ name: 'twilio', configuration: { sid: 'AC0123456789' } }])
    expect(JSON.stringify(exported)).not.toMatch(/(google|partner|mail|phone|stream)-secret/)
    expect(await read('first', 'actions', 'add-plan', 'code.js')).toBe(await read('shop', 'actions', 'add-plan.js'))
    expect(await read('first', 'emailTemplates', 'verify_email.html')).toBe(
      await read('shop', 'emails', 'verify_email.html'),
    )
  })

  it('finds no difference in its own export, as a file and as folders', async () => {
    expect(await Promise.all([changesOf('first/tenant.yaml'), changesOf('folders')])).toEqual([
      WITH_SECRETS,
      WITH_SECRETS,
    ])
  })

  it('agrees with `npm run tenant -- export`, section by section', async () => {
    const own = parse(await runCommand(['tenant', 'export'], tenant.settings)) as Tenant
    const clients = own.clients as (Entry & { client_id: string })[]
    const nameOf = (id: unknown) => clients.find(({ client_id }) => client_id === id)?.name
    const { actions, clientGrants, clients: _clients, emailProvider, emailTemplates, ...sections } = own
    expect(Object.keys(own).filter((name) => !(name in exported))).toEqual([])
    for (const [name, section] of Object.entries(sections))
      expect(sectionOf(exported[name]), name).toMatchObject(sectionOf(section) as object)
    for (const { client_id, ...client } of clients)
      expect(byName(exported.clients as Entry[])[client.name ?? ''], client.name).toMatchObject(
        ordered(client) as object,
      )
    // The tool writes the body to a file.
    expect(emailTemplates).toMatchObject([
      { template: 'verify_email', body: await read('first', 'emailTemplates', 'verify_email.html') },
    ])
    // The tool takes the name of the account for a secret.
    expect(emailProvider).toMatchObject({ credentials: { smtp_user: 'shop' } })
    expect(exported.emailProvider).toMatchObject({ credentials: { smtp_user: '##SMTP_USER##' } })
    // The tool leaves its own grant out.
    const grants = (clientGrants as Entry[])
      .map((grant) => ({ ...grant, client_id: nameOf(grant.client_id) }))
      .filter(({ client_id }) => client_id !== 'Toolbox')
    expect(byName(exported.clientGrants as Entry[])).toMatchObject(byName(grants))
    expect((actions as Entry[]).map(({ name, deployed }) => ({ name, deployed }))).toEqual([
      { name: 'add-plan', deployed: true },
    ])
  })

  it('changes and deletes', async () => {
    const roles = exported.roles as Entry[]
    const changed = {
      ...exported,
      roles: roles.filter(({ name }) => name === 'Clerk').map((role) => ({ ...role, description: 'At the counter' })),
      clients: (exported.clients as Entry[]).filter(({ name }) => name !== 'Shop for phones'),
      databases: (exported.databases as Entry[]).map((database) => ({ ...database, enabled_clients: ['Shop SPA'] })),
    }
    await writeFile(join(folder, 'first', 'tenant.yaml'), stringify(changed))
    await importing('first/tenant.yaml')
    const after = parse(await runCommand(['tenant', 'export'], tenant.settings)) as Tenant
    expect(after.roles).toMatchObject([{ name: 'Clerk', description: 'At the counter' }])
    expect(Object.keys(byName(after.clients as Entry[]))).not.toContain('Shop for phones')
    expect(after.databases).toMatchObject([{ name: 'customers', enabled_clients: ['Shop SPA'] }])
  })
})

describe('auth0-deploy-cli, with values that only the vendor has', () => {
  const file = 'shop/vendor-values.yaml'
  it('imports them, and then has nothing to do', async () => {
    await runWith({ AUTH0_ALLOW_DELETE: 'false' }, 'import', `--input_file=${file}`)
    expect(await changesOf(file, false)).toEqual([])
  })

  it('exports them to a file that this server applies with a report, and then has nothing to do', async () => {
    await exportTo('yaml', 'values')
    const text = await read('values', 'tenant.yaml')
    const { clients } = parse(await read('shop', 'vendor-values.yaml')) as { clients: Entry[] }
    expect(byName((parse(text) as Tenant).clients as Entry[])).toMatchObject(byName(clients))
    const secrets = [...text.matchAll(/##(\w+)##/g)].map(([, name]) => [name, 'a-secret-of-the-shop'])
    const applied = () =>
      runCommand(['tenant', 'apply', join(folder, 'values', 'tenant.yaml')], {
        ...tenant.settings,
        ...Object.fromEntries(secrets),
      })
    const report = await applied()
    for (const [name, type] of [
      ['Shop in Office', 'office365'],
      ['Shop in Sales', 'salesforce'],
      ['Stock server', 'resource_server'],
    ])
      expect(report).toContain(`clients["${name}"].app_type: "${type}"`)
    expect(await applied()).toContain('no changes')
  })
})

describe('auth0-deploy-cli with the vendor’s scopes alone, in a tenant with what holds more', () => {
  const call = async <T = Entry>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await tenant.call(method, path, body)
    expect([path, answer.status, answer.body]).toEqual([path, expect.toSatisfy((status) => status < 300), answer.body])
    return answer.body as T
  }
  beforeAll(async () => {
    const audience = `https://${tenant.domain}/api/v2/`
    const giving = (...names: string[]) => ({
      permissions: names.map((permission_name) => ({ resource_server_identifier: audience, permission_name })),
    })
    const { client_id } = await call('POST', '/clients', {
      name: 'Mighty',
      app_type: 'non_interactive',
      grant_types: ['client_credentials'],
      client_metadata: { team: 'platform' },
    })
    await call('POST', '/client-grants', { client_id, audience, scope: [...MANAGEMENT_SCOPES.keys()] })
    await call('POST', '/clients', {
      name: 'Signed',
      app_type: 'non_interactive',
      grant_types: ['client_credentials'],
      client_authentication_methods: {
        private_key_jwt: { credentials: [{ name: '2026', credential_type: 'public_key', pem: PEM }] },
      },
    })
    const { id: role } = await call('POST', '/roles', { name: 'Guardian' })
    await call('POST', `/roles/${role}/permissions`, giving('read:users', 'update:users'))
    const { id: keeper } = await call('POST', '/roles', { name: 'Keeper' })
    await call('POST', `/roles/${keeper}/permissions`, giving('update:administrators', 'read:users'))
    const { user_id } = await call('POST', '/users', {
      connection: 'customers',
      email: 'guardian@shop.example',
      password: 'Lantern over the 7 harbours',
    })
    await call('POST', `/users/${user_id}/permissions`, giving('update:administrators'))
    await call('POST', `/users/${user_id}/roles`, { roles: [role, keeper] })
    const { id: organization } = await call('GET', '/organizations/name/acme')
    await call('POST', `/organizations/${organization}/members`, { members: [user_id] })
    await call('POST', `/organizations/${organization}/members/${user_id}/roles`, { roles: [role, keeper] })
    const grants = await call<Entry[]>('GET', `/client-grants?client_id=e2e-toolbox`)
    await call('PATCH', `/client-grants/${grants[0]?.id}`, { scope: VENDOR_SCOPES })
  })

  const importingKept = (...args: string[]) => runWith({ AUTH0_ALLOW_DELETE: 'false' }, 'import', ...args)

  it('imports its own export and changes nothing', async () => {
    await exportTo('yaml', 'above')
    const before = parse(await read('above', 'tenant.yaml')) as Tenant
    expect(byName(before.clientGrants as Entry[])).toHaveProperty([`Mighty https://${tenant.domain}/api/v2/`])
    const others = (before.roles as Entry[]).filter(({ name }) => name !== 'Keeper')
    await writeFile(join(folder, 'above', 'tenant.yaml'), stringify({ ...before, roles: others }))
    await importingKept('--input_file=above/tenant.yaml')
    await exportTo('yaml', 'after')
    expect(parse(await read('after', 'tenant.yaml'))).toEqual(before)
  })

  it('cannot import a role that holds more, because the tool takes all permissions before it gives them again', async () => {
    const roles = (parse(await read('after', 'tenant.yaml')) as Tenant).roles as Entry[]
    const keeper = roles.filter(({ name }) => name === 'Keeper')
    await writeFile(join(folder, 'keeper.yaml'), stringify({ roles: keeper }))
    await expect(importingKept('--input_file=keeper.yaml')).rejects.toThrow('holds the same rights')
    await exportTo('yaml', 'after')
    expect((parse(await read('after', 'tenant.yaml')) as Tenant).roles).toEqual(roles)
  })
})
