// A connection's password policy as a list of rules for the page, and which of them a refused password broke.

import { MAX_PASSWORD_LENGTH } from '../../data/users/password'
import { describePolicy, type PasswordPolicy, type PasswordRefusal } from '../../data/users/password-policy'
import type { VendorPasswordRule as RuleObject } from '../../data/users/password-rules'
import { PASSWORD_RULES, type PasswordRuleName, type PasswordRuleView } from '../../pages/view'

/** The rules in reading order; `broken` names those that the last password broke. */
export function passwordHints(policy: PasswordPolicy, broken: readonly string[] = []): PasswordRuleView[] {
  const known = [
    ...describePolicy(policy).flatMap(hintsOf),
    ...(policy.dictionary ? [{ rule: 'common' as const }] : []),
    ...(policy.refusesPersonal ? [{ rule: 'personal' as const }] : []),
    ...(policy.history > 0 ? [{ rule: 'history' as const, count: policy.history }] : []),
  ]
  const named = new Set(known.map(({ rule }) => rule))
  const unexpected = PASSWORD_RULES.filter((rule) => broken.includes(rule) && !named.has(rule)).map(unexpectedHint)
  return [...known, ...unexpected].map((hint) => (broken.includes(hint.rule) ? { ...hint, unmet: true } : hint))
}

/** Some rules are listed only after a password broke them. */
const unexpectedHint = (rule: PasswordRuleName): PasswordRuleView =>
  rule === 'max' ? { rule, count: MAX_PASSWORD_LENGTH } : { rule }

export function brokenRules(refusal: PasswordRefusal): PasswordRuleName[] {
  switch (refusal.kind) {
    case 'strength':
      return refusal.rules.filter(({ verified }) => !verified).flatMap(brokenOf)
    case 'dictionary':
      return ['common']
    default:
      return [refusal.kind]
  }
}

const brokenOf = (rule: RuleObject): PasswordRuleName[] =>
  rule.code === 'shouldContain' ? (rule.items ?? []).filter(({ verified }) => !verified).flatMap(nameOf) : nameOf(rule)

/** The vendor's code of an action → ours. */
const NAMES: Readonly<Record<string, PasswordRuleName>> = {
  nonEmpty: 'length',
  lengthAtLeast: 'length',
  lowerCase: 'lower',
  upperCase: 'upper',
  numbers: 'digit',
  specialCharacters: 'special',
  containsAtLeast: 'classes',
  identicalChars: 'identical',
  maxLength: 'max',
}

function nameOf({ code }: RuleObject): PasswordRuleName[] {
  const name = NAMES[code]
  return name ? [name] : []
}

function hintsOf(rule: RuleObject): PasswordRuleView[] {
  if (rule.code === 'nonEmpty') return []
  if (rule.code === 'shouldContain') return (rule.items ?? []).flatMap(hintsOf)
  const [count] = rule.format ?? []
  return nameOf(rule).map((name) => (typeof count === 'number' ? { rule: name, count } : { rule: name }))
}
