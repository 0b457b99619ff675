import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { writtenRows } from '../../testing/written-rows'
import { NOTHING } from './configuration'
import type { Configuration, JsonObject, Plan } from './model'
import { planTenant } from './plan'
import { tokenExchangeProfiles } from './sections/token-exchange-profiles'

const vault = createVault('a secret of thirty-two characters')
const at = new Date(0)
const action = (name: string, trigger: string) => ({
  ...{ id: `id of ${name}`, name, live: { trigger, code: '' }, draft: null, buildDueAt: null, newest: 1 },
  ...{ createdAt: at, updatedAt: at },
})
const judge = action('Judge', 'custom-token-exchange')
const other = action('Login', 'post-login')
const PROFILE = {
  name: 'Legacy tokens',
  subject_token_type: 'urn:acme:legacy-token',
  action: 'Judge',
  type: 'custom_authentication',
}

const planOf = async (profiles: JsonObject[], more: Partial<Configuration> = {}): Promise<Plan> =>
  planTenant({
    ...{
      file: 'tenant.yaml',
      document: { tokenExchangeProfiles: profiles },
      tenantId: 'main',
      baseUrl: 'https://id.test',
    },
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, actions: [judge, other], ...more },
    ...{ users: [], vault, random: seededRandom('profiles'), templateFault: () => null, unusedTexts: () => [] },
  })

const rowsOf = (planned: Plan) => writtenRows(planned, 'tokenExchangeProfiles')

describe('token exchange profiles', () => {
  it('are made, and again nothing changes', async () => {
    const first = await planOf([PROFILE])
    expect([first.notApplied, rowsOf(first)]).toMatchObject([
      [],
      [{ name: 'Legacy tokens', subjectTokenType: 'urn:acme:legacy-token', actionId: 'id of Judge' }],
    ])
    expect((await planOf([PROFILE], { tokenExchangeProfiles: rowsOf(first) })).changes).toEqual([])
  })

  it('are exported as they are applied', async () => {
    const stored = { ...NOTHING, actions: [judge], tokenExchangeProfiles: rowsOf(await planOf([PROFILE])) }
    expect(tokenExchangeProfiles.export(stored, [], vault)).toEqual([PROFILE])
    expect(tokenExchangeProfiles.export(NOTHING, [], vault)).toBeUndefined()
  })

  it('keep their id under another name and with another action', async () => {
    const [row] = rowsOf(await planOf([PROFILE]))
    const second = action('Second', 'custom-token-exchange')
    const changed = await planOf([{ ...PROFILE, name: 'Old tokens', action: 'Second' }], {
      ...{ actions: [judge, second], tokenExchangeProfiles: row ? [row] : [] },
    })
    expect(rowsOf(changed)).toEqual([{ ...row, name: 'Old tokens', actionId: 'id of Second' }])
  })

  it.each([
    ['Login', 'tokenExchangeProfiles["Legacy tokens"].action: Login is not made for custom-token-exchange'],
    ['Gone', 'tokenExchangeProfiles["Legacy tokens"].action: no action Gone'],
  ])('without a judge are reported and left out: %s', async (action, report) => {
    const planned = await planOf([{ ...PROFILE, action }])
    expect([planned.changes, planned.notApplied]).toEqual([[], [report]])
  })

  it.each(['urn:ietf:params:oauth:token-type:jwt', 'urn:auth0:x', 'https://okta.com/token', 'plain'])(
    'refuse the type %s',
    async (subject_token_type) => {
      await expect(planOf([{ ...PROFILE, subject_token_type }])).rejects.toThrow('subject_token_type')
    },
  )
})
