// What the stored scripts of a tenant need of npm. Pure.
import { objectIn } from '../../../kernel/json'
import type { Need } from '../actions/need'
import { needOfHook, readHook } from './hooks'
import { needOfRules, readRule } from './legacy-rules'
import { needOfScripts } from './packages'

type Stored = { kind: string; id: string; body: unknown }

/** Of a database or a custom OAuth connection. */
export function needOfConnection(settings: unknown): Need | null {
  const { customScripts, scripts } = objectIn(objectIn(settings).options)
  const all = { ...objectIn(customScripts), ...objectIn(scripts) }
  return needOfScripts(Object.values(all).filter((script) => typeof script === 'string'))
}

/** Of enabled rules, which have one, and of each enabled hook. `name` is null for rules. */
export function needsOfDocuments(documents: readonly Stored[]): { name: string | null; need: Need }[] {
  const rules = documents.flatMap(({ kind, body }) => (kind === 'rule' ? (readRule(body) ?? []) : []))
  const hooks = documents.flatMap(({ kind, body }) => (kind === 'hook' ? (readHook(body) ?? []) : []))
  const ofRules = needOfRules(rules)
  return [
    ...(ofRules ? [{ name: null, need: ofRules }] : []),
    ...hooks.flatMap((each) => {
      const need = each.enabled ? needOfHook(each) : null
      return need ? [{ name: each.name, need }] : []
    }),
  ]
}
