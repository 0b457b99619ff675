// The vendor's rules, and the values of their `configuration` (lib/identity/tenant-code/scripts/legacy-rules.ts). Each is a document; the values are sealed and
// write-only.
import * as z from 'zod'
import { sealActionSecret } from '../../identity/tenant-code/actions/action'
import {
  configKey,
  configValue,
  MAX_RULES,
  MAX_SCRIPTS,
  needOfRules,
  type Rule,
  readRule,
  rule,
} from '../../identity/tenant-code/scripts/legacy-rules'
import { scriptProblem, whyScriptNotRunnable, whyUnbundled } from '../../identity/tenant-code/scripts/script'
import {
  type BrokenScripts,
  endOfWait,
  type PreparingDeps,
  preparePackages,
  refuseBroken,
} from '../../identity/tenant-code/scripts/script-build'
import type { JsonObject } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject } from '../../kernel/schema'
import type { Vault } from '../../kernel/secret'
import { type Document, type DocumentDeps, namedDocuments } from '../operations/documents'
import { unknownMembers } from '../operations/effects'
import { invalidBody } from '../operations/errors'
import { flag, WHOLE } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { defineResource } from '../operations/resource'

export type RuleDeps = DocumentDeps & PreparingDeps & BrokenScripts & { random: Random; vault: Vault }

export const RULE = 'rule'
export const RULES_CONFIG = 'rules-config'

type RuleRow = Rule & { id: string }

const rowOf = ({ id, body }: Document): RuleRow | null => {
  const read = readRule(body)
  return read && { id, ...read }
}

/** Of one request. */
function ruleStore(deps: Pick<RuleDeps, 'documents' | 'keepBroken'> & PreparingDeps) {
  const until = endOfWait(deps.clock)
  return namedDocuments<RuleRow, { enabled?: boolean | undefined }>(deps.documents, {
    kind: RULE,
    rowOf,
    bodyOf: ({ id: _, ...body }) => body,
    before: (one, other) => one.order < other.order || (one.order === other.order && one.id < other.id),
    fits: ({ enabled }, row) => enabled === undefined || row.enabled === enabled,
    check: (row, others) => checkRunnable(row, others, deps),
    async prepare(rows, before) {
      if (deps.keepBroken) return null
      const change = { before: needOfRules(before), after: needOfRules(rows) }
      const why = await preparePackages([change], until, deps)
      return why === null ? null : { path: 'script', message: `The packages of the rules ${why}` }
    },
  })
}

/** Throws for a rule that cannot be kept beside the others. Returns what an enabled one needs and this server lacks. */
function checkRule({ script, enabled }: Rule, others: readonly Rule[]): string | null {
  const syntax = scriptProblem(script)
  if (syntax !== null) throw invalidBody({ path: 'script', message: syntax })
  if (others.length >= MAX_RULES) throw invalidBody(`A tenant has at most ${MAX_RULES} rules`)
  if (!enabled) return null
  const characters = others.reduce((sum, each) => sum + (each.enabled ? each.script.length : 0), script.length)
  if (characters > MAX_SCRIPTS) throw invalidBody(`Enabled rules have at most ${MAX_SCRIPTS} characters`)
  return whyScriptNotRunnable(script)
}

/** Throws also for a rule that could not run: it would deny each login. */
function checkRunnable(row: RuleRow, others: readonly Rule[], deps: BrokenScripts): void {
  const why = checkRule(row, others)
  if (why !== null) refuseBroken(deps, why, 'script', invalidBody({ path: 'script', message: `The rule ${why}` }))
  if (deps.keepBroken) return
  const together = row.enabled ? whyUnbundled(needOfRules([...others, row])) : null
  if (together !== null) throw invalidBody({ path: 'script', message: `The rule with the others ${together}` })
}

export const newRuleId = (random: Random): string => `rul_${alphanumeric(random, 16)}`

const members = rule.shape
const stage = z.literal('login_success').optional()
const created = openObject({
  ...{ name: members.name, script: members.script, stage },
  ...{ order: members.order.optional(), enabled: members.enabled.optional() },
})
const changed = created.omit({ stage: true }).partial()

export const newRule = created

const shown = z.object({ id: z.string(), ...members, stage: z.literal('login_success') }).meta({ id: 'Rule' })
const EXAMPLE = 'function (user, context, callback) { callback(null, user, context) }'

const rules = defineResource({
  noun: 'rule',
  plural: 'rules',
  path: '/rules',
  target: 'tenant',
  shown,
  create: created,
  update: changed,
  examples: { create: { name: 'Plan', script: EXAMPLE }, update: { enabled: false } },
  filter: { enabled: flag.optional() },
  taken: { message: 'A rule with this name already exists.', errorCode: 'rule_conflict' },
  store: (deps: RuleDeps) => ruleStore(deps),
  id: (row: RuleRow) => row.id,
  notApplied: (given) => unknownMembers(shown, given),
  present: (row) => ({ ...row, stage: 'login_success' }),
  async make(body, { deps }) {
    const { name, script, enabled = true, order } = body
    const { rows } = await ruleStore(deps).list({}, WHOLE)
    const last = rows.at(-1)?.order ?? 0
    return { id: newRuleId(deps.random), name, script, enabled, order: order ?? last + 1 }
  },
  change(row, body) {
    const { name = row.name, script = row.script, order = row.order, enabled = row.enabled } = body
    return { ...row, name, script, order, enabled }
  },
})

const operation = operationsWith<RuleDeps>()
const CONFIGS = '/rules-configs'

const configs = {
  list: operation({
    name: 'rules_configs.list',
    method: 'GET',
    path: CONFIGS,
    summary: 'List the names of the values of rules',
    scopes: ['read:rules_configs'],
    query: z.looseObject({}),
    status: 200,
    answer: z.array(z.object({ key: z.string() })),
    handle: async ({ deps }) => ({ body: (await deps.documents.list(RULES_CONFIG)).map(({ id }) => ({ key: id })) }),
  }),
  set: operation({
    name: 'rules_configs.set',
    method: 'PUT',
    path: `${CONFIGS}/:id`,
    summary: 'Set a value of rules',
    scopes: ['update:rules_configs'],
    target: 'tenant',
    body: z.strictObject({ value: configValue }),
    example: { value: 'of the rule' },
    examplePath: { id: 'API_URL' },
    status: 200,
    answer: z.object({ key: z.string(), value: z.string() }),
    async handle({ params, body: { value }, deps }) {
      const key = configKey.safeParse(params.id)
      if (!key.success) throw invalidBody(`The name ${z.prettifyError(key.error)}`)
      const sealed = sealActionSecret(value, deps.vault, deps.random)
      await deps.documents.change(RULES_CONFIG, key.data, () => ({ sealed }), deps.clock.now())
      return { body: { key: key.data, value }, before: {}, after: { key: key.data } }
    },
  }),
  remove: operation({
    name: 'rules_configs.remove',
    method: 'DELETE',
    path: `${CONFIGS}/:id`,
    summary: 'Remove a value of rules',
    scopes: ['delete:rules_configs'],
    target: 'tenant',
    status: 204,
    async handle({ params: { id = '' }, deps }) {
      const { before } = await deps.documents.change(RULES_CONFIG, id, () => null, deps.clock.now())
      const shown: JsonObject = before ? { key: id } : {}
      return { before: shown, after: {} }
    },
  }),
}

export const legacyRules = { ...rules, configs }
