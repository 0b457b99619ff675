import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { NOTHING } from './configuration'
import { type Configuration, type JsonObject, type Plan, TenantFileError } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')

const stored = (settings: JsonObject): Configuration => ({ ...NOTHING, tenant: { name: 'main', settings, kept: {} } })

const plan = async (text: string, settings: JsonObject = {}): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document: readTenantFile('tenant.yaml', text, {}),
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: stored(settings),
    users: [],
    vault,
    random: seededRandom('claim-rules'),
    templateFault: () => null,
    unusedTexts: () => [],
  })

async function problems(text: string): Promise<string[]> {
  try {
    await plan(text)
  } catch (error) {
    if (error instanceof TenantFileError) return error.message.split('\n')
    throw error
  }
  return []
}

const TEAM = { name: 'Team', claim: 'https://acme.example/team', value: 'user.app_metadata.team' }
const yaml = (...rules: object[]) => JSON.stringify({ claimRules: rules })

describe('claimRules', () => {
  it('are the tenant’s, as the file has them: one that it no longer names is gone', async () => {
    const made = await plan(yaml(TEAM))
    expect(made.changes).toMatchObject([
      { section: 'claimRules', writes: [{ table: 'tenant', row: { settings: { claimRules: [TEAM] } } }] },
    ])
    expect((await plan(yaml(TEAM), { claimRules: [TEAM] })).changes).toEqual([])
    expect((await plan(yaml(), { claimRules: [TEAM] })).changes).toMatchObject([
      { writes: [{ row: { settings: { claimRules: [] } } }] },
    ])
  })

  it('are exported as they were given', () => {
    const section = SECTIONS.find(({ name }) => name === 'claimRules')
    expect(section?.export(stored({ claimRules: [TEAM] }), [], vault)).toEqual([TEAM])
    expect(section?.export(stored({}), [], vault)).toBeUndefined()
  })

  it.each([
    ['a field that there is not', { value: 'user.emial' }, '["Team"].value: no such key: emial (at character 6)'],
    ['half an expression', { value: 'user.email +' }, '["Team"].value: unexpected token: EOF (at character 13)'],
    [
      'a function that there is not',
      { value: 'exec("ls")' },
      '["Team"].value: there is no function exec (at character 1)',
    ],
    ['an invalid condition', { when: 'user.email' }, '["Team"].when: must be true or false, not string'],
    [
      'a reserved claim',
      { claim: 'sub' },
      '["Team"].claim: is reserved: OpenID Connect, OAuth or the server itself says it',
    ],
    [
      'the vendor’s namespace',
      { claim: 'https://acme.auth0.com/x' },
      `["Team"].claim: must not be in the vendor's namespace`,
    ],
    ['an unknown kind of token', { tokens: ['refresh_token'] }, '["Team"].tokens[0]: invalid option'],
  ])('refuse the file for %s, by name and place', async (_, change, problem) => {
    expect((await problems(yaml({ ...TEAM, ...change }))).join('\n')).toContain(`tenant.yaml: claimRules${problem}`)
  })

  it('refuse the file for two of one name, and for too many', async () => {
    expect(await problems(yaml(TEAM, TEAM))).toEqual(['tenant.yaml: claimRules["Team"]: is in the file twice'])
    const many = Array.from({ length: 51 }, (_each, index) => ({ ...TEAM, name: `Rule ${index}` }))
    expect(await problems(yaml(...many))).toEqual(['tenant.yaml: claimRules: must have at most 50 rules'])
  })
})
