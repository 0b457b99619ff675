// `rules` and `rulesConfigs`: the vendor's rules, and the values of their `configuration`. A rule that needs what does not exist here is
// reported; it stays, fails and so denies (threat-model.md AC3), as an action would.
import * as z from 'zod'
import { openActionSecret, sealActionSecret } from '../../../identity/rules/actions/action'
import { configKey, configValue, type Rule, readRule, rule } from '../../../identity/rules/scripts/rules'
import { checkRule, newRule, newRuleId, RULE, RULES_CONFIG } from '../../resources/rules'
import { isCodeFile } from '../code-files'
import type { PlanContext } from '../context'
import type { Configuration, DocumentRow, JsonObject } from '../model'
import { documentsOf, putDocument } from './documents'
import { objectsSection, writtenKind } from './objects'

const rulesOf = (stored: Configuration): Rule[] => documentsOf(RULE)(stored).flatMap(({ body }) => readRule(body) ?? [])

const ruleFields = z.object(newRule.shape).partial().required({ name: true })

const ruleKind = writtenKind<DocumentRow>({
  section: 'rules',
  fields: ruleFields,
  // Only at this stage there were rules in the end.
  unprotected: ({ stage = 'login_success' }) => (stage === 'login_success' ? undefined : 'stage'),
  all: documentsOf(RULE),
  isNamed: ({ body }, { name }) => body.name === name,
  build(entry, before, path, context) {
    const { name, script, enabled, order: given } = ruleFields.parse(entry)
    const others = rulesOf(context.stored).filter((each) => each.name !== name)
    const order = Math.max(0, ...others.map((each) => each.order)) + 1
    const sent = Object.entries({ name, script, enabled, order: given }).filter(([, value]) => value !== undefined)
    const made = rule.safeParse({ enabled: true, order, ...before?.body, ...Object.fromEntries(sent) })
    if (!made.success || isCodeFile(made.data.script)) {
      context.notApplied.push(
        `${path}: ${made.success ? `${made.data.script} cannot be read beside the tenant file` : 'needs script'}`,
      )
      return null
    }
    const why = checkRule(made.data, others)
    if (why !== null) context.notApplied.push(`${path}: ${why}; it fails and denies`)
    return { kind: RULE, id: before?.id ?? newRuleId(context.random), body: made.data }
  },
  name: ({ body }) => String(body.name),
  shown: ({ body }) => ({ ...body, stage: 'login_success' }),
  put: putDocument,
  write: (row) => ({ table: 'document', row }),
})

export const rules = objectsSection(ruleKind, 'name')

const configFields = z.object({ key: configKey, value: configValue.optional() })

const configKind = writtenKind<DocumentRow>({
  section: 'rulesConfigs',
  fields: configFields,
  all: documentsOf(RULES_CONFIG),
  isNamed: ({ id }, { key }) => id === key,
  build(entry, before, path, context) {
    const { key, value } = configFields.parse(entry)
    if (value === undefined && !before) context.notApplied.push(`${path}: needs value`)
    if (value === undefined) return before ?? null
    const isSame = before !== undefined && openedValue(before, context.vault) === value
    return isSame
      ? before
      : { kind: RULES_CONFIG, id: key, body: { sealed: sealActionSecret(value, context.vault, context.random) } }
  },
  name: ({ id }) => id,
  shown: ({ id }) => ({ key: id }),
  secrets: (row, vault): JsonObject => ({ value: openedValue(row, vault) }),
  put: putDocument,
  write: (row) => ({ table: 'document', row }),
})

const openedValue = ({ body }: DocumentRow, vault: PlanContext['vault']): string | null =>
  openActionSecret(String(body.sealed), vault)

export const rulesConfigs = objectsSection(configKind, 'key')
