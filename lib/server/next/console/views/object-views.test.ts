// The views of an object: nothing in them is a secret, and a call is one word of a shell for each argument.
import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import type { Console } from '../page'
import { viewedKind, viewedObject, viewsOf, viewText } from './object-views'

const CLIENT = {
  client_id: "it's",
  name: `<script>alert('1')</script>`,
  client_secret: 'a-secret-of-the-client',
  callbacks: ['https://shop.example'],
  tenant: 'x',
}

const console = (object: object) =>
  ({ read: vi.fn(async () => object), baseUrl: 'https://id.example' }) as unknown as Console

const deps = {
  console: console({}),
  baseUrl: 'https://id.example',
  exportSection: async () => [{ name: CLIENT.name }, { name: 'Other' }],
  writeFile: (sections: object) => JSON.stringify(sections),
}

it('has no secret in any view', async () => {
  const viewed = await viewedObject('clients', CLIENT.client_id, console(CLIENT))
  for (const view of viewsOf('clients'))
    expect(await viewText(view, 'clients', viewed, CLIENT.client_id, deps), view).not.toContain('a-secret-of')
})

it('writes a call that a shell reads as one word for each argument, with what the operation takes', async () => {
  const viewed = await viewedObject('clients', CLIENT.client_id, console(CLIENT))
  const text = await viewText('call', 'clients', viewed, CLIENT.client_id, deps)
  const change = text.slice(text.indexOf('curl --request PATCH')).replace('curl', "printf '%s\\0'")
  const words = execFileSync('sh', ['-c', `TOKEN=T; ${change}`], { encoding: 'utf8' }).split('\0')
  expect(words.slice(0, 3)).toEqual(['--request', 'PATCH', "https://id.example/api/v2/clients/it's"])
  expect(words).toContain('authorization: Bearer T')
  expect(JSON.parse(words[words.indexOf('--data') + 1] ?? '')).toEqual({
    name: CLIENT.name,
    callbacks: CLIENT.callbacks,
  })
})

it('takes the entry of the object alone from the export', async () => {
  const viewed = await viewedObject('clients', CLIENT.client_id, console(CLIENT))
  expect(JSON.parse(await viewText('file', 'clients', viewed, CLIENT.client_id, deps))).toEqual({
    clients: [{ name: CLIENT.name }],
  })
})

it('puts the protections together, and has no other kinds', async () => {
  const viewed = await viewedObject('attack-protection', 'all', console({ enabled: true }))
  expect(Object.keys(viewed.object)).toHaveLength(5)
  expect(viewsOf('attack-protection')).toEqual(['raw', 'call', 'file', 'terraform'])
  expect(viewsOf('users')).toEqual(['raw', 'call'])
  expect(viewedKind('__proto__')).toBeUndefined()
  expect(viewedKind('nothing')).toBeUndefined()
})

it('reads for Terraform what an object has of others, as the person may, and no more than is written', async () => {
  const listed: string[] = []
  const organization = { id: 'org_1', name: 'acme' }
  const with_ = (may: (name: string) => boolean, total: number) =>
    ({
      baseUrl: 'https://id.example',
      may: ({ name }: { name: string }) => may(name),
      read: async () => organization,
      list: async ({ name }: { name: string }, { query }: { query: { page: string } }) => {
        listed.push(`${name} ${query.page}`)
        const from = Number(query.page) * 100
        const rows = Array.from({ length: Math.min(100, total - from) }, (_, place) => ({
          user_id: `u${from + place}`,
        }))
        return {
          rows: name.endsWith('members.list') ? rows : [{ connection_id: 'con_1' }],
          total: name.endsWith('members.list') ? total : 1,
        }
      },
    }) as unknown as Console
  const textFor = async (reader: Console) => {
    const viewed = await viewedObject('organizations', 'org_1', reader)
    return viewText('terraform', 'organizations', viewed, 'org_1', { ...deps, console: reader })
  }
  const all = await textFor(with_(() => true, 250))
  expect(all).toContain('"u249"')
  expect(all).toContain('connection_id = "con_1"')
  expect(listed.filter((each) => each.startsWith('organizations.members'))).toHaveLength(3)
  const connections = await textFor(with_((name) => !name.includes('members'), 3))
  expect(connections).not.toContain('auth0_organization_members')
  expect(connections).toContain('auth0_organization_connections')
  const long = await textFor(with_(() => true, 1001))
  expect(long).toContain('# auth0_organization_members is left out')
  expect(long).not.toContain('"u0"')
})
