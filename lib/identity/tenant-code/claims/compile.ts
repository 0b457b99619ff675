// Compiled claim rules, evaluated whenever a token is issued (docs/adr/0016).
// - A rule that fails to evaluate for a user adds no claim and is logged; the token is issued nevertheless.
// - Roles are looked up only if a rule uses them.
// - If two rules set the same claim, the later one wins.

import type { ClaimPlace, ClaimRule } from '../../../data/tenants/claim-rule'
import type { Json } from '../../../kernel/json'
import { type ClaimExpression, ExpressionError, readExpression } from './expression'
import { type ClaimRuleFacts, type ClaimRuleSubject, factsOf } from './facts'
import { claimNameProblem } from './name'
import { asJson } from './value'

export type CustomClaims = Readonly<Record<string, Json>>

export type ClaimsByPlace = Readonly<Record<ClaimPlace, CustomClaims>>

export type ClaimRules = {
  /** Whether a rule uses the roles of users. */
  readsRoles: boolean
  evaluate(about: ClaimRuleSubject): ClaimsByPlace
}

/** Called for a rule that failed to evaluate: its name and the problem, without any user's data. */
export type NoteFailure = (rule: string, claim: string, problem: string) => void

type Compiled = { rule: ClaimRule; value: ClaimExpression; when: ClaimExpression | null }

/** The rules of a tenant file are all valid; one that is no longer valid is noted and skipped. */
export function compileRules(rules: readonly ClaimRule[], note: NoteFailure): ClaimRules {
  const compiled = rules.map((rule) => readRule(rule, note)).filter((rule) => rule !== null)
  return {
    readsRoles: compiled.some((rule) => mentions(rule, 'roles')),
    evaluate(about) {
      const facts = factsOf(about)
      const claims = { id_token: {}, access_token: {}, assertion: {} } satisfies Record<ClaimPlace, CustomClaims>
      for (const each of compiled) {
        if (about.user === null && mentions(each, 'user')) continue
        if (about.organization === null && mentions(each, 'organization')) continue
        const value = evaluateRule(each, facts, note)
        if (value === null) continue
        for (const place of each.rule.tokens) Object.assign(claims[place], { [each.rule.claim]: value })
      }
      return claims
    },
  }
}

function readRule(rule: ClaimRule, note: NoteFailure): Compiled | null {
  try {
    const problem = claimNameProblem(rule.claim)
    if (problem !== null) throw new ExpressionError(problem, undefined)
    const when = rule.when === undefined ? null : readExpression(rule.when, 'condition')
    return { rule, value: readExpression(rule.value, 'value'), when }
  } catch (error) {
    note(rule.name, rule.claim, problemOf(error))
    return null
  }
}

const mentions = ({ value, when }: Compiled, name: string): boolean =>
  value.names.has(name) || (when?.names.has(name) ?? false)

function evaluateRule({ rule, value, when }: Compiled, facts: ClaimRuleFacts, note: NoteFailure): Json {
  try {
    if (when && when.evaluate(facts) !== true) return null
    return asJson(value.evaluate(facts))
  } catch (error) {
    note(rule.name, rule.claim, problemOf(error))
    return null
  }
}

/** The error code of the language, or a sentence of this server: neither contains profile data. */
function problemOf(error: unknown): string {
  if (error instanceof ExpressionError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'failed'
}
