// `resourceServers`: registered APIs, identified by their audience.

import * as z from 'zod'
import { type Api, apiSettings, toApi } from '../../../data/apis/api'
import { managementApi, managementAudience } from '../../../data/apis/built-in'
import { isJsonObject, mergeObjects } from '../../../kernel/json'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { type Elsewhere, oneOf, wholeNumber } from '../elsewhere'
import { differences, sorted } from '../fields'
import type { ApiRow, JsonObject } from '../model'

const apiEntry = apiSettings.extend({
  identifier: z.string().min(1).max(600),
  name: z.string().min(1).max(200).optional(),
})

const ELSEWHERE: Elsewhere = {
  signing_alg: oneOf('HS256', 'RS512', 'PS512'),
  proof_of_possession: (value) => isJsonObject(value) && value.mechanism === 'mtls',
  consent_policy: (value) => typeof value === 'string',
  authorization_details: Array.isArray,
  token_lifetime: wholeNumber(0),
  token_lifetime_for_web: wholeNumber(0),
}

export const resourceServers: Section = {
  name: 'resourceServers',
  plan(given, context) {
    for (const item of itemsOf(given, 'resourceServers', 'identifier', context)) {
      // The vendor's management API is part of every tenant, and a tenant file cannot define it.
      if (item.value.is_system === true) context.notApplied.push(item.path)
      else planApi(item.value, item.path, context)
    }
  },
  export: (stored) =>
    stored.apis.length === 0
      ? undefined
      : stored.apis.map(({ identifier, name, settings }) => ({ name, identifier, ...sorted(settings) })),
}

function planApi(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(apiEntry, value, path, context, ELSEWHERE)
  if (!read) return
  const { identifier } = read.parsed
  const stored = context.stored.apis.find((api) => api.identifier === identifier)
  const { identifier: _identifier, name: _name, ...given } = read.known
  const row: ApiRow = {
    identifier,
    name: read.parsed.name ?? stored?.name ?? identifier,
    settings: mergeObjects(stored?.settings ?? {}, given),
  }
  context.stored.apis = [...context.stored.apis.filter((api) => api !== stored), row]
  const details = differences(shown(stored), shown(row))
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'resourceServers',
    action: stored ? 'update' : 'create',
    name: identifier,
    details,
    write: { table: 'api', row },
  })
}

/** A registered API, or the Management API of this tenant. */
export function findApi(identifier: string, { stored, baseUrl }: PlanContext): Api | undefined {
  if (identifier === managementAudience(baseUrl)) return managementApi(baseUrl)
  const row = stored.apis.find((api) => api.identifier === identifier)
  return row && toApi(row)
}

const shown = (row: ApiRow | undefined): JsonObject => (row ? { name: row.name, ...row.settings } : {})
