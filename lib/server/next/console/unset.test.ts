// What holds where a setting is not set is said by its control.
import { expect, it } from 'vitest'
import * as z from 'zod'
import { groupsIn, memberAt, metaOf } from '../../../kernel/schema-meta'
import { OPERATIONS } from '../../../management'
import { operationNamed, type Reference } from '../../../management/console-call'
import { connectionBodies } from './connection-options'
import { type Field, leavesOf } from './field'
import { bodyOf, fieldsOf } from './form'

const WITHOUT: readonly string[] = [
  // The name of a row, which is left out without one.
  'tenant_settings.update: rate_limits[].#name',
  // No page asks for them, or the page sends a value always.
  ...['connections.update: strategy', 'custom_domains.update: type', 'email_provider.change: name'],
  ...['log_streams.update: type', 'phone_providers.change: name', 'jobs.users_exports: format'],
]

const KINDS: readonly Field['kind'][] = ['choice', 'number', 'duration']

const withCells = (fields: readonly Field[]): Field[] =>
  leavesOf(fields).flatMap((field) => [
    field,
    ...withCells(field.fields ?? []).map((cell) => ({ ...cell, name: `${field.name}[].${cell.name}` })),
  ])

/** A text that the form offers as a choice of objects. */
const isPicked = (member: z.ZodType | undefined, kind: Field['kind']): boolean =>
  kind === 'text' && member !== undefined && metaOf(member).picker !== undefined

function silentIn(operation: Reference, body: z.ZodType): string[] {
  const titled = Object.entries(body instanceof z.ZodObject ? (body.shape as Record<string, z.ZodType>) : {})
    .filter(([, member]) => metaOf(member).title !== undefined)
    .map(([name]) => name)
  const names = [...new Set([...groupsIn(body).flatMap(({ members }) => members), ...titled])]
  return withCells(fieldsOf(operation, names, {}, body))
    .filter(({ kind, name }) => KINDS.includes(kind) || isPicked(memberAt(body, name), kind))
    .filter(({ required, unset }) => !required && unset === undefined)
    .map(({ name }) => `${operation.name}: ${name}`)
}

it('every choice, number and duration that may be left out says what then holds', () => {
  const forms = OPERATIONS.map((operation) => [operation, bodyOf(operation)] as const)
  const bodies = connectionBodies().map((body) => [operationNamed('connections.update'), body] as const)
  const silent = [...forms, ...bodies].flatMap(([operation, body]) => (body ? silentIn(operation, body) : []))
  expect([...new Set(silent)].sort()).toEqual([...WITHOUT].sort())
})
