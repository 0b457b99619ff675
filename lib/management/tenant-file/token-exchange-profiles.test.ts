import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { type Configuration, type JsonObject, NOTHING, type Plan } from './model'
import { planTenant } from './plan'
import { tokenExchangeProfiles } from './sections/token-exchange-profiles'

const vault = createVault('a secret of thirty-two characters')
const judge = { name: 'Judge', settings: { trigger: 'custom-token-exchange', code: '' } }
const other = { name: 'Login', settings: { trigger: 'post-login', code: '' } }
const PROFILE = {
  name: 'Legacy tokens',
  subject_token_type: 'urn:acme:legacy-token',
  action: 'Judge',
  type: 'custom_authentication',
}

const planOf = (profiles: JsonObject[], more: Partial<Configuration> = {}): Plan =>
  planTenant({
    ...{
      file: 'tenant.yaml',
      document: { tokenExchangeProfiles: profiles },
      tenantId: 'main',
      baseUrl: 'https://id.test',
    },
    stored: { ...NOTHING, tenant: { name: 'main', settings: {} }, actions: [judge, other], ...more },
    ...{ users: [], vault, random: seededRandom('profiles'), templateFault: () => null, unusedTexts: () => [] },
  })

const rowsOf = ({ changes }: Plan) =>
  changes.flatMap(({ write }) => (write.table === 'tokenExchangeProfile' ? [write.row] : []))

describe('token exchange profiles', () => {
  it('are made, and again nothing changes', () => {
    const first = planOf([PROFILE])
    expect([first.notApplied, rowsOf(first)]).toMatchObject([
      [],
      [{ name: 'Legacy tokens', subjectTokenType: 'urn:acme:legacy-token', actionName: 'Judge' }],
    ])
    expect(planOf([PROFILE], { tokenExchangeProfiles: rowsOf(first) }).changes).toEqual([])
  })

  it('are exported as they are applied', () => {
    const stored = { ...NOTHING, tokenExchangeProfiles: rowsOf(planOf([PROFILE])) }
    expect(tokenExchangeProfiles.export(stored, [], vault)).toEqual([PROFILE])
    expect(tokenExchangeProfiles.export(NOTHING, [], vault)).toBeUndefined()
  })

  it('keep their id under another name and with another action', () => {
    const [row] = rowsOf(planOf([PROFILE]))
    const second = { name: 'Second', settings: judge.settings }
    const changed = planOf([{ ...PROFILE, name: 'Old tokens', action: 'Second' }], {
      ...{ actions: [judge, second], tokenExchangeProfiles: row ? [row] : [] },
    })
    expect(rowsOf(changed)).toEqual([{ ...row, name: 'Old tokens', actionName: 'Second' }])
  })

  it.each([
    ['Login', 'tokenExchangeProfiles["Legacy tokens"].action: Login is not made for custom-token-exchange'],
    ['Gone', 'tokenExchangeProfiles["Legacy tokens"].action: no action Gone'],
  ])('without a judge are reported and left out: %s', (action, report) => {
    const planned = planOf([{ ...PROFILE, action }])
    expect([planned.changes, planned.notApplied]).toEqual([[], [report]])
  })

  it.each(['urn:ietf:params:oauth:token-type:jwt', 'urn:auth0:x', 'https://okta.com/token', 'plain'])(
    'refuse the type %s',
    (subject_token_type) => {
      expect(() => planOf([{ ...PROFILE, subject_token_type }])).toThrow('subject_token_type')
    },
  )
})
