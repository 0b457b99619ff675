// The vendor's rules: functions `(user, context, callback)` that ran at each login before there were actions. All enabled ones are one action
// in front of the others at post-login, in their order (docs/actions.md, "Rules"). Pure.
import * as z from 'zod'
import { actionSettings, MAX_CODE } from '../actions/action'
import type { Need } from '../actions/need'
import { type LegacyAction, scriptName } from './legacy-action'
import { needOfVersions, withoutVersions } from './packages'
import { asFunction } from './script'
import { SHIM } from './shim'

export const MAX_RULES = 100

/** Of all enabled rules. */
export const MAX_SCRIPTS = 10 * MAX_CODE

export const rule = z.object({
  name: scriptName,
  script: z.string().min(1).max(MAX_CODE),
  order: z.number().int().min(0).max(1_000_000),
  enabled: z.boolean(),
})

export type Rule = z.output<typeof rule>

/** The name of a value of `configuration`. */
export const configKey = z.string().regex(/^[\w@*+:-]{1,127}$/, 'may have letters, digits and _ - @ * + :')

export const configValue = z.string().min(1).max(10_000)

/** The name of their action in the log of runs. */
const NAME = 'Rules'

/** Null without an enabled rule. `configs` are the sealed values of `configuration`. */
export function rulesAction(
  rules: readonly (Rule & { id: string })[],
  configs: Readonly<Record<string, string>>,
): LegacyAction | null {
  const enabled = rules.filter((each) => each.enabled).sort((one, other) => one.order - other.order)
  if (enabled.length === 0) return null
  const list = enabled.map(({ name, script }) => `[${JSON.stringify(name)}, ${asFunction(withoutVersions(script))}]`)
  const code = `${SHIM}\nfunction $rules(auth0, configuration, UnauthorizedError) {\nreturn [\n${list.join(',\n')}\n]\n}\n`
  const settings = actionSettings.omit({ code: true }).parse({ trigger: 'post-login', sealed: configs })
  return { action: { ...settings, code, name: NAME }, ids: enabled.map(({ id }) => id), need: needOfRules(enabled) }
}

/** The packages of all enabled rules; null where they need none. */
export const needOfRules = (rules: readonly Rule[]): Need | null =>
  needOfVersions(rules.flatMap(({ enabled, script }) => (enabled ? [script] : [])))

/** A rule as it is stored; null for one that this version cannot read. */
export const readRule = (body: unknown): Rule | null => rule.safeParse(body).data ?? null
