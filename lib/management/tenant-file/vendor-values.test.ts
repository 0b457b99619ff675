// Derived from the vendor's own types and schemas: no value of its enumerations refuses a file.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../kernel/json'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { vendorCases } from '../../testing/vendor-file'
import { unusedTexts } from '../../text/custom'
import { NOTHING } from './configuration'
import { type Plan, TenantFileError } from './model'
import { planTenant } from './plan'

const vault = createVault('a secret of thirty-two characters')

const plan = async (document: JsonObject): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document,
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } },
    users: [],
    vault,
    random: seededRandom('vendor'),
    templateFault: faultOf,
    unusedTexts,
  })

async function outcomeOf(document: JsonObject): Promise<Plan | string> {
  try {
    return await plan(document)
  } catch (error) {
    if (error instanceof TenantFileError) return error.message
    throw error
  }
}

/** What is so here whatever a file says. */
const AS_HERE = ['prompts.universal_login_experience=new', 'prompts.webauthn_platform_first_factor=false']

const isApplied = ({ changes }: Plan, section: string, value: string | boolean): boolean =>
  changes
    .filter((change) => change.section === section)
    .some(({ writes, details, name }) => {
      // What is sealed shows in the details alone.
      const everything = `${JSON.stringify(writes.map(({ row }) => row))} ${details.join(' ')} ${name}`
      return (
        everything.includes(JSON.stringify(value)) ||
        everything.includes(`/${value}`) ||
        everything.includes(`${value}/`)
      )
    })

const cases = vendorCases()
const sections = [...new Set(cases.map(({ section }) => section))].sort()

describe('the vendor’s values', () => {
  it('are found in its types and its schema', () => {
    expect(cases.length).toBeGreaterThan(3000)
  })

  it.each(sections)('of %s apply or are reported, and never refuse the rest of the file', async (section) => {
    const refused: string[] = []
    for (const { place, value, file } of cases.filter((each) => each.section === section)) {
      const outcome = await outcomeOf({ organizations: [{ name: 'kept' }], ...file })
      if (typeof outcome === 'string') refused.push(`${place}=${value}: ${outcome}`)
      else {
        const isReported = outcome.notApplied.some((report) => report.startsWith(section))
        const isHere = AS_HERE.includes(`${place.replace('[file]', '')}=${value}`)
        if (!isReported && !isHere && !isApplied(outcome, section, value))
          refused.push(`${place}=${value} has no effect`)
      }
    }
    expect(refused).toEqual([])
  })
})
