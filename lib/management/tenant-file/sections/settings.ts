// The sections that are one object among the tenant's settings, such as `tenant`, `branding` and `attackProtection`.

import type * as z from 'zod'
import { isJsonObject, objectIn } from '../../../kernel/json'
import type { Vault } from '../../../kernel/secret'
import type { Operation } from '../../operations/operation'
import type { TenantRecord } from '../../operations/singleton'
import type { PlanContext, Section } from '../context'
import type { Elsewhere } from '../elsewhere'
import { sorted } from '../fields'
import type { Json, JsonObject } from '../model'
import { change, type FileDeps, mergedWith } from '../working-copy'
import { planObject } from './objects'

type Settings = {
  /** Of the section and of the member of the settings. */
  name: string
  fields: z.ZodType
  elsewhere?: Elsewhere
  /** Makes the settings what the entry says; throws a DomainError where it is invalid. */
  operate(entry: JsonObject, before: JsonObject, context: PlanContext): unknown
  /** For the diff: as an object, without secrets. */
  shown?(stored: Json | undefined): JsonObject
  secrets?(stored: JsonObject, vault: Vault): JsonObject
}

export function settingsSection({ name, shown = objectIn, secrets = () => ({}), ...rest }: Settings): Section {
  const storedIn = ({ settings }: TenantRecord): Json | undefined => settings[name]
  const kind = {
    section: name,
    ...rest,
    all: ({ tenant }: PlanContext['stored']) => (tenant ? [tenant] : []),
    isNamed: () => () => true,
    operate: (entry: JsonObject, before: TenantRecord | undefined, _path: string, context: PlanContext) =>
      rest.operate(entry, objectIn(before && storedIn(before)), context),
    name: () => name,
    shown: (record: TenantRecord) => shown(storedIn(record)),
    secrets: (record: TenantRecord, vault: Vault) => secrets(objectIn(storedIn(record)), vault),
  }
  return {
    name,
    async plan(given, context) {
      if (isJsonObject(given)) await planObject(kind, given, name, context)
      else context.problems.push({ path: name, reason: 'must be a map of fields' })
    },
    export({ tenant }) {
      const stored = (tenant && storedIn(tenant)) ?? null
      if (typeof stored !== 'object' || Object.keys(stored ?? {}).length === 0) return undefined
      return isJsonObject(stored) ? sorted(stored) : stored
    },
  }
}

/** Changes by an operation what the entry says of one object. */
export const changedBy =
  (operation: Operation<FileDeps>) =>
  (entry: JsonObject, before: JsonObject, context: PlanContext): Promise<void> =>
    change(operation, mergedWith(before, entry), before, context)
