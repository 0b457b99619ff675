// A claim rule as it is configured: which claim, of what value, when, in which tokens. Plain data; compile.ts reads its
// expressions, since only whoever applies a file or has rules needs the language.
import * as z from 'zod'
import { MAX_CLAIM_NAME_LENGTH } from './name'

/** Where a claim can be told: in tokens, or in what SAML and WS-Federation post. */
export const CLAIM_PLACES = ['id_token', 'access_token', 'assertion'] as const
export type ClaimPlace = (typeof CLAIM_PLACES)[number]

export const MAX_RULES = 50
const MAX_EXPRESSION_LENGTH = 1000

const expression = z.string().min(1).max(MAX_EXPRESSION_LENGTH)

export const claimRule = z.object({
  /** What it is called where something is said about it. */
  name: z.string().min(1).max(100),
  /** Judged where a file is applied and where rules are read, not here: a newer version may reserve more names. */
  claim: z.string().max(MAX_CLAIM_NAME_LENGTH),
  value: expression,
  /** Unset, always. */
  when: expression.optional(),
  tokens: z.array(z.enum(CLAIM_PLACES)).min(1).max(CLAIM_PLACES.length).default(['id_token', 'access_token']),
})

export type ClaimRule = z.output<typeof claimRule>

export const claimRulesSection = z.array(claimRule).max(MAX_RULES)
