// `resourceServers`: registered APIs, identified by their audience.

import * as z from 'zod'
import { type Api, apiSettings, toApi } from '../../apis/api'
import { managementApi, managementAudience } from '../../apis/built-in'
import { mergeObjects } from '../../kernel/json'
import { itemsOf, oneOf, type PlanContext, readFields, type Section, setAside } from '../context'
import { differences, sorted } from '../fields'
import type { ApiRow, Json, JsonObject } from '../model'

const apiEntry = apiSettings.extend({
  identifier: z.string().min(1).max(600),
  name: z.string().min(1).max(200).optional(),
})

const UNSUPPORTED = [
  { field: 'signing_alg', when: oneOf('HS256', 'RS512', 'PS512') },
  { field: 'consent_policy', when: (value: Json) => !apiSettings.shape.consent_policy.safeParse(value).success },
  { field: 'authorization_details', when: (value: Json) => Array.isArray(value) && value.length > 0 },
]

export const resourceServers: Section = {
  name: 'resourceServers',
  plan(given, context) {
    for (const item of itemsOf(given, 'resourceServers', 'identifier', context)) {
      // The vendor's management API is part of every tenant, and a tenant file cannot define it.
      if (item.value.is_system === true) context.notApplied.push(item.path)
      else planApi(setAside(item.value, item.path, UNSUPPORTED, context), item.path, context)
    }
  },
  export: (stored) =>
    stored.apis.length === 0
      ? undefined
      : stored.apis.map(({ identifier, name, settings }) => ({ name, identifier, ...sorted(settings) })),
}

function planApi(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(apiEntry, value, path, context)
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
