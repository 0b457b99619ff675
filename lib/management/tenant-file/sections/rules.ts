// `rules` and `rulesConfigs`: the vendor's rules, and the values of their `configuration`. A rule that needs what does not exist here is
// reported; it stays, fails and so denies (threat-model.md AC3), as an action would.
import * as z from 'zod'
import { openActionSecret } from '../../../identity/tenant-code/actions/action'
import { configKey, configValue } from '../../../identity/tenant-code/scripts/legacy-rules'
import { legacyRules, newRule, RULE, RULES_CONFIG } from '../../resources/rules'
import { isCodeFile, unreadFile } from '../code-files'
import type { PlanContext } from '../context'
import type { DocumentRow, JsonObject } from '../model'
import { operate, put } from '../working-copy'
import { documentsOf } from './documents'
import { type ObjectKind, objectsSection } from './objects'

const ruleFields = z.object(newRule.shape).partial().required({ name: true })

const ruleKind: ObjectKind<DocumentRow> = {
  section: 'rules',
  fields: ruleFields,
  // Only at this stage there were rules in the end.
  unprotected: ({ stage = 'login_success' }) => (stage === 'login_success' ? undefined : 'stage'),
  all: documentsOf(RULE),
  isNamed:
    ({ name }) =>
    ({ body }) =>
      body.name === name,
  async operate(entry, before, path, context) {
    const { script = before?.body.script } = entry
    if (typeof script !== 'string' || isCodeFile(script))
      context.notApplied.push(`${path}: ${typeof script === 'string' ? unreadFile(script) : 'needs script'}`)
    else {
      const keepBroken = (why: string): void => void context.notApplied.push(`${path}: ${why}; it fails and denies`)
      // Sent whole each time, so that what fails is reported each time.
      await put(legacyRules, entry, before && { id: before.id, shown: {} }, context, { keepBroken })
    }
  },
  name: ({ body }) => String(body.name),
  shown: ({ body }) => ({ ...body, stage: 'login_success' }),
}

export const rules = objectsSection(ruleKind, 'name')

const configFields = z.object({ key: configKey, value: configValue.optional() })

const configKind: ObjectKind<DocumentRow> = {
  section: 'rulesConfigs',
  fields: configFields,
  all: documentsOf(RULES_CONFIG),
  isNamed:
    ({ key }) =>
    ({ id }) =>
      id === key,
  async operate(entry, before, path, context) {
    const { key, value } = configFields.parse(entry)
    if (value !== undefined) await operate(legacyRules.configs.set, { params: { id: key }, body: { value } }, context)
    else if (!before) context.notApplied.push(`${path}: needs value`)
  },
  name: ({ id }) => id,
  shown: ({ id }) => ({ key: id }),
  secrets: (row, vault): JsonObject => ({ value: openedValue(row, vault) }),
}

const openedValue = ({ body }: DocumentRow, vault: PlanContext['vault']): string | null =>
  openActionSecret(String(body.sealed), vault)

export const rulesConfigs = objectsSection(configKind, 'key')
