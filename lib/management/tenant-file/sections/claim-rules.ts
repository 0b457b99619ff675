// `claimRules` (ours): claims of tokens in addition to the server's own. The list in a file is complete, so a rule that the file
// no longer contains is removed. An invalid rule refuses the file, with its name and place.

import * as z from 'zod'
import { claimRule, MAX_RULES } from '../../../data/tenants/claim-rule'
import { ExpressionError, readExpression } from '../../../identity/tenant-code/claims/expression'
import { claimNameProblem } from '../../../identity/tenant-code/claims/name'
import { objectsIn } from '../../../kernel/json'
import { type Item, itemsOf, type PlanContext, readFields, type Section } from '../context'
import { storesOf } from '../copied-stores'
import type { Json, JsonObject } from '../model'
import { settingsSection } from './settings'

const NAME = 'claimRules'

const checked = claimRule.superRefine((rule, context) => {
  const reason = claimNameProblem(rule.claim)
  if (reason !== null) context.addIssue({ code: 'custom', path: ['claim'], message: reason })
  for (const [field, kind] of [
    ['value', 'value'],
    ['when', 'condition'],
  ] as const) {
    const problem = problemOf(rule[field], kind)
    if (problem !== null) context.addIssue({ code: 'custom', path: [field], message: problem })
  }
})

const section = settingsSection({
  name: NAME,
  fields: z.object({ rules: z.array(z.json()) }),
  // No operation of the API changes them.
  operate: ({ rules = [] }, _before, context) =>
    storesOf(context).tenantRecord.change(
      ({ settings, ...record }) => ({ ...record, settings: { ...settings, [NAME]: rules } }),
      context.now,
    ),
  shown: byName,
})

export const claimRules: Section = {
  ...section,
  async plan(given, context) {
    const items = itemsOf(given, NAME, 'name', context)
    if (items.length > MAX_RULES) context.problems.push({ path: NAME, reason: `must have at most ${MAX_RULES} rules` })
    const after = items.map((item) => readRule(item, context)).filter((rule) => rule !== null)
    checkNames(after, context)
    await section.plan({ rules: after }, context)
  },
}

const readRule = ({ value, path }: Item, context: PlanContext): JsonObject | null =>
  readFields(checked, value, path, context)?.known ?? null

function problemOf(source: string | undefined, kind: 'value' | 'condition'): string | null {
  try {
    if (source !== undefined) readExpression(source, kind)
    return null
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

function checkNames(rules: readonly JsonObject[], { problems }: PlanContext): void {
  const names = rules.map(({ name }) => name)
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) !== index))) {
    problems.push({ path: `${NAME}[${JSON.stringify(name)}]`, reason: 'is in the file twice' })
  }
}

/** The form for comparison and display. The order counts, since a later rule wins. */
function byName(rules: Json | undefined): JsonObject {
  return Object.fromEntries(objectsIn(rules).map((rule, index) => [`${index + 1} ${String(rule.name)}`, rule]))
}
