// A configured claim rule: the claim, its value, its condition and the tokens. Plain data; lib/identity/tenant-code/claims/compile.ts parses the expressions, so
// only applying a file or evaluating rules loads the language.
import * as z from 'zod'

/** Where a claim can be set: in tokens, or in assertions of SAML and WS-Federation. */
export const CLAIM_PLACES = ['id_token', 'access_token', 'assertion'] as const
export type ClaimPlace = (typeof CLAIM_PLACES)[number]

export const MAX_RULES = 50
export const MAX_CLAIM_NAME_LENGTH = 255
const MAX_EXPRESSION_LENGTH = 1000

const expression = z.string().min(1).max(MAX_EXPRESSION_LENGTH)

export const claimRule = z.object({
  /** Its name in messages about it. */
  name: z.string().min(1).max(100),
  /** Checked when a file is applied and when rules are compiled, not here: a newer version may reserve more names. */
  claim: z.string().max(MAX_CLAIM_NAME_LENGTH),
  value: expression,
  /** If absent, the rule always applies. */
  when: expression.optional(),
  tokens: z.array(z.enum(CLAIM_PLACES)).min(1).max(CLAIM_PLACES.length).default(['id_token', 'access_token']),
})

export type ClaimRule = z.output<typeof claimRule>

export const claimRulesSection = z.array(claimRule).max(MAX_RULES)
