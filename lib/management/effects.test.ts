import { expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonObject } from '../kernel/json'
import { firstName, unknownMembers } from './effects'

const schema = z.object({
  name: z.string(),
  options: z.object({ rules: z.array(z.object({ name: z.string() })).optional() }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
})

test('a member that the schema does not know is named by its path at every depth', () => {
  const options: JsonObject = { icon_url: 'x', rules: [{ name: 'b' }, { name: 'c', icon: 'y' }] }
  const object = { name: 'a', icon: 1, options }
  expect(unknownMembers(schema, object)).toEqual(['icon', 'options.icon_url', 'options.rules[1].icon'])
})

test('members that are not set, and keys of maps, are not named', () => {
  const object = { icon: null, options: { icon_url: '' }, metadata: { any: 'key' } }
  expect(unknownMembers(schema, object)).toEqual([])
})

test('the first name of a path is its outermost member', () => {
  expect(['icon', 'options.icon_url', 'rules[0].name'].map(firstName)).toEqual(['icon', 'options', 'rules'])
})
