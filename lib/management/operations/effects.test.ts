import { expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'
import { withoutEffect } from '../../kernel/schema'
import { firstName, leftOut, unknownMembers } from './effects'

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

test('a member has no effect exactly when its value differs from the fixed one', () => {
  const always = { options: { conformant: true } }
  const set = (conformant: boolean) => unknownMembers(schema, { name: 'a', options: { conformant } }, always)
  expect([set(true), set(false)]).toEqual([[], ['options.conformant']])
})

test('a known value that is marked as without effect is named, and the others of its member are not', () => {
  const shields = z.array(withoutEffect(z.enum(['block', 'mail']), (value) => value === 'mail'))
  const marked = z.object({ shields: shields.optional(), flag: withoutEffect(z.boolean()).default(true) })
  expect(unknownMembers(marked, { shields: ['block', 'mail'] })).toEqual(['shields[1]'])
  expect(unknownMembers(marked, { flag: false })).toEqual(['flag'])
})

test('what a body has and the object does not show is left out', () => {
  const body = { name: 'a', icon: 1, its_secret: 'x', options: { rules: [{ name: 'b', code: 'y' }] } }
  const shown = { name: 'a', icon: 1, options: { rules: [{ name: 'b' }] } }
  expect(leftOut(schema, body, shown)).toEqual(['its_secret', 'options.rules[0].code'])
  expect(leftOut(z.array(z.object({ name: z.string() })), [{ name: 'a', icon: 1 }], {})).toEqual(['[0].icon'])
})
