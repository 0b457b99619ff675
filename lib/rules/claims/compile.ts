// Claim rules, read and ready: what each says of a token, evaluated whenever one is issued (docs/adr/0016).
// - A rule that has no value for somebody says nothing, and a line in the log says so: a token is issued all the same.
// - Nobody needs roles looked up unless a rule speaks of them.
// - Where two rules give one claim a value, the later one does.
import type { Json } from '../../kernel/json'
import { type Expression, ExpressionError, readExpression } from './expression'
import { type About, type Facts, factsOf } from './facts'
import { claimNameProblem } from './name'
import type { ClaimPlace, ClaimRule } from './rule'
import { asJson } from './value'

export type CustomClaims = Readonly<Record<string, Json>>

export type ClaimsByPlace = Readonly<Record<ClaimPlace, CustomClaims>>

export type ClaimRules = {
  /** Whether some rule asks for the roles of users. */
  readsRoles: boolean
  evaluate(about: About): ClaimsByPlace
}

/** Told of a rule that has no value: its name and what was wrong, no value of anybody's. */
export type NoteFailure = (rule: string, claim: string, problem: string) => void

type Compiled = { rule: ClaimRule; value: Expression; when: Expression | null }

/** Those of a tenant file can all be read; one that cannot any more is noted and left out. */
export function compileRules(rules: readonly ClaimRule[], note: NoteFailure): ClaimRules {
  const compiled = rules.map((rule) => readRule(rule, note)).filter((rule) => rule !== null)
  return {
    readsRoles: compiled.some((rule) => mentions(rule, 'roles')),
    evaluate(about) {
      const facts = factsOf(about)
      const claims = { id_token: {}, access_token: {}, assertion: {} } satisfies Record<ClaimPlace, CustomClaims>
      for (const each of compiled) {
        if (about.user === null && mentions(each, 'user')) continue
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

function evaluateRule({ rule, value, when }: Compiled, facts: Facts, note: NoteFailure): Json {
  try {
    if (when && when.evaluate(facts) !== true) return null
    return asJson(value.evaluate(facts))
  } catch (error) {
    note(rule.name, rule.claim, problemOf(error))
    return null
  }
}

/** A code of the language's, or a sentence of ours: neither repeats what was in a profile. */
function problemOf(error: unknown): string {
  if (error instanceof ExpressionError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'failed'
}
