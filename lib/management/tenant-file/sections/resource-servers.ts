// `resourceServers`: registered APIs, identified by their audience.
import * as z from 'zod'
import { apiSettings } from '../../../data/apis/api'
import { isJsonObject } from '../../../kernel/json'
import {
  type ApiResourceRow,
  type ResourceServerDeps,
  resourceServers as resource,
} from '../../resources/resource-servers'
import { copiedRows } from '../copied-stores'
import { type Elsewhere, oneOf, wholeNumber } from '../elsewhere'
import { sorted } from '../fields'
import type { JsonObject } from '../model'
import { mergedWith, put } from '../working-copy'
import { type ObjectKind, objectsSection } from './objects'

declare module '../model' {
  interface Copied {
    apis: { rows: ApiResourceRow[]; stores: Pick<ResourceServerDeps, 'resourceServers'> }
  }
}

const fields = apiSettings.extend({
  identifier: z.string().min(1).max(600),
  name: z.string().min(1).max(200).optional(),
})

const elsewhere: Elsewhere = {
  signing_alg: oneOf('HS256', 'RS512', 'PS512'),
  proof_of_possession: (value) => isJsonObject(value) && value.mechanism === 'mtls',
  consent_policy: (value) => typeof value === 'string',
  authorization_details: Array.isArray,
  token_lifetime: wholeNumber(0),
  token_lifetime_for_web: wholeNumber(0),
}

const kind: ObjectKind<ApiResourceRow> = {
  section: 'resourceServers',
  copy: copiedRows('apis', {
    store: 'resourceServers',
    hasId: (row, id) => row.id === id || row.identifier === id,
    nameOf: ({ identifier }) => identifier,
    isSorted: true,
  }),
  fields,
  elsewhere,
  // The vendor's management API is part of every tenant, and a tenant file cannot define it.
  isForeign: ({ is_system }) => is_system === true,
  all: ({ apis }) => apis,
  isNamed:
    ({ identifier }) =>
    (row) =>
      row.identifier === identifier,
  operate(entry, before, _path, context) {
    const shown = before ? exported(before) : {}
    return put(resource, mergedWith(shown, entry), before && { id: before.id, shown }, context)
  },
  name: ({ identifier }) => identifier,
  shown: ({ name, settings }) => ({ name, ...settings }),
  exported,
}

function exported({ name, identifier, settings }: ApiResourceRow): JsonObject {
  return { name, identifier, ...sorted(settings) }
}

export const resourceServers = objectsSection(kind, 'identifier')
