// The pages of docs/quickstarts: one shape, a valid tenant file each, and all of them in the index.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FOLDER, fileOf, packagesOf, parseQuickstart, QUICKSTARTS, readQuickstart } from '../../../e2e/quickstarts/page'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { unusedTexts } from '../../text/custom'
import { NOTHING } from './configuration'
import { planTenant } from './plan'
import { readTenantFile } from './read'

const SECTIONS = ['Tenant file', 'Application', 'What you see', 'Log out', 'Call the API', 'What goes wrong']
const index = readFileSync(`${FOLDER}README.md`, 'utf8')

const documentOf = (name: string) => readTenantFile('tenant.yaml', fileOf(readQuickstart(name), 'tenant.yaml'), {})

const plan = async (name: string) =>
  planTenant({
    file: 'tenant.yaml',
    document: documentOf(name),
    tenantId: 'main',
    baseUrl: 'http://localhost:3000',
    stored: { ...NOTHING, tenant: null },
    users: [],
    vault: createVault('a secret of thirty-two characters'),
    random: seededRandom('quickstarts'),
    templateFault: faultOf,
    unusedTexts,
  })

describe.each(QUICKSTARTS)('%s', (name) => {
  it('has the sections of every quickstart, and no block that is neither file, command nor output', () => {
    const { title, sections, unread } = readQuickstart(name)
    expect([title, sections, unread]).toEqual([name, SECTIONS, []])
  })

  it('says what it was checked with, or that it was not run', () => {
    expect(readQuickstart(name).text.slice(0, 400)).toMatch(/Checked with |Not run/)
  })

  it('starts Latchkey, and an application', () => {
    const kinds = readQuickstart(name).steps.map(({ kind }) => kind)
    expect(kinds.slice(0, 2)).toEqual(['file', 'latchkey'])
    expect(kinds).toContain('server')
    expect(kinds.slice(-2)).toEqual(['commands', 'output'])
  })

  it('has a tenant file that is applied whole', async () => {
    const { notApplied, secrets, changes } = await plan(name)
    expect([notApplied, secrets]).toEqual([[], []])
    expect(changes.map(({ section }) => section)).toEqual(
      expect.arrayContaining(['clients', 'resourceServers', 'clientGrants', 'databases', 'users']),
    )
  })

  it('has the API, machine client and user of every quickstart', () => {
    const shared = ({ clients, ...rest }: ReturnType<typeof documentOf>) => ({
      ...rest,
      machine: (clients as { client_id: string }[]).filter(({ client_id }) => client_id === 'machine'),
    })
    expect(shared(documentOf(name))).toEqual(shared(documentOf('express-oauth2-jwt-bearer')))
  })

  it('names messages that go wrong', () => {
    const rows = /## What goes wrong\n\n([\s\S]*)$/.exec(readQuickstart(name).text)?.[1]?.trim().split('\n') ?? []
    expect(rows.length).toBeGreaterThanOrEqual(2 + 2)
    expect(rows[0]).toBe('| Message | Cause | Remedy |')
  })

  it('is in the index once', () => {
    expect(index.split(`(${name}.md)`)).toHaveLength(2)
  })
})

it('reads files, commands and their output, and reports other blocks', () => {
  const text =
    '# a\n\n## B\n\n`c.js`\n\n```js\nd\n```\n\n```sh server\ne\n```\n\n```json output\nf\n```\n\n```js\ng\n```\n'
  expect(parseQuickstart('a', text)).toMatchObject({
    title: 'a',
    sections: ['B'],
    steps: [
      { kind: 'file', name: 'c.js', text: 'd\n' },
      { kind: 'server', text: 'e\n' },
      { kind: 'output', text: 'f\n' },
    ],
    unread: ['g\n'],
  })
})

it('names the packages that a page installs', () => {
  expect(packagesOf(readQuickstart('auth0-spa-js'))).toEqual(['@auth0/auth0-spa-js@2', 'vite'])
})
