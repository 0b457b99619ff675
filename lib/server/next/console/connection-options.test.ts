// Every option of every kind of connection has a control in the console.

import { expect, it } from 'vitest'
import * as z from 'zod'
import { STRATEGIES, settingsOf } from '../../../data/connections/connection'
import { unwrapped } from '../../../kernel/schema'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import { connections } from '../../../management/resources/connections'
import { connectionBody, connectionKinds, hasUse, withEffective } from './connection-options'
import { fieldsOf, formGroups } from './form'

/** They have one value that has a use, or another option says the same. */
const WITHOUT_CONTROL = [
  // Holds for every connection.
  'brute_force_protection',
  // A person who lost every passkey needs a password.
  'authentication_methods.password.enabled',
  // An earlier name of `waad_protocol`.
  'use_wsfed',
  // The vendor's earlier name of `connection_settings.pkce`.
  'pkce_enabled',
]

function leaves(schema: z.ZodType, path: string): string[] {
  const whole = unwrapped(schema)
  if (!(whole instanceof z.ZodObject)) return [path]
  return Object.entries(whole.shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
    leaves(member, path === '' ? name : `${path}.${name}`),
  )
}

it.each(STRATEGIES)('each option of %s that has a use there has a control', (strategy) => {
  const body = connectionBody(strategy)
  const options = leaves(settingsOf(strategy).shape.options, '').filter((path) =>
    hasUse(strategy, path.split('.')[0] ?? ''),
  )
  const bare = options.filter((path) => {
    const parts = path.split('.')
    // A control may be of an object as a whole.
    const above = parts.map((_, end) => memberAt(body, ['options', ...parts.slice(0, end + 1)].join('.')))
    return !above.some((member) => member && metaOf(member).group !== undefined)
  })
  expect(bare.filter((path) => !WITHOUT_CONTROL.includes(path))).toEqual([])
})

it.each(STRATEGIES)('a form of %s has a title for each of its panels, and a label for each control', (strategy) => {
  const groups = formGroups(connections.update, 'connections', connectionBody(strategy))
  const members = groups.flatMap(({ members }) => members)
  const fields = fieldsOf(connections.update, members, { strategy }, connectionBody(strategy))
  expect(fields.filter(({ label, name }) => label === name)).toEqual([])
  expect(fields.filter(({ kind }) => kind === 'json').map(({ name }) => name)).toEqual(
    members.includes('options.oidc_metadata') ? ['options.oidc_metadata'] : [],
  )
})

it('a social provider is not asked for addresses that it has', () => {
  expect(hasUse('github', 'token_endpoint')).toBe(false)
  expect(hasUse('oidc', 'token_endpoint')).toBe(true)
  expect(hasUse('apple', 'team_id')).toBe(true)
  expect(hasUse('github', 'team_id')).toBe(false)
  expect(hasUse('waad', 'fieldsMap')).toBe(true)
})

it('each kind is offered once', () => {
  const { accounts, enterprise, social } = connectionKinds()
  expect([...accounts, ...enterprise, ...social].sort()).toEqual([...STRATEGIES].sort())
  expect(enterprise).toContain('samlp')
})

it('shows what holds where an option is not set, and what is set as it is', () => {
  const shown = withEffective({ strategy: 'samlp', options: { signSAMLRequest: false, own: 1 } })
  expect(shown).toMatchObject({
    show_as_button: false,
    options: { signSAMLRequest: false, own: 1, set_user_root_attributes: 'on_each_login' },
  })
  expect(withEffective({ strategy: 'unknown', options: {} })).toEqual({ strategy: 'unknown', options: {} })
})
