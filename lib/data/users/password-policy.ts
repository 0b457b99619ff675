// Which passwords a database connection accepts (threat-model.md DB4, D10). Pure: one judgement for the API, the pages and their
// hints. new-password.ts makes the checks that need a disk or a hash (breaches, history).
// - A named level has the vendor's meaning. Without one, a password needs eight characters, must not be common or contain
//   personal data, and no composition is prescribed (NIST 800-63B-4 3.1.1).
// - A password is judged and hashed as typed: not trimmed, folded or normalized.
import { type PasswordLevel, type PasswordOptions, SHORTEST } from './password-options'
import {
  describeRules,
  lengthAtLeast,
  maxLength,
  noThreeInARow,
  notEmpty,
  type RuleCheck,
  shouldContain,
  threeOfFour,
  type VendorPasswordRule,
} from './password-rules'

export type PasswordPolicy = {
  rules: readonly RuleCheck[]
  /** Words refused in addition to the common passwords; null if neither are checked. */
  dictionary: { extra: ReadonlySet<string> } | null
  refusesPersonal: boolean
  /** The login address is not accepted as a password, unless the connection explicitly allows personal data. */
  refusesAddress: boolean
  /** How many previous passwords may not be reused. */
  history: number
}

/** Personal data that a password must not contain. */
export type PersonalData = {
  email?: string | null | undefined
  username?: string | null | undefined
  name?: string | null | undefined
  nickname?: string | null | undefined
  givenName?: string | null | undefined
  familyName?: string | null | undefined
  metadata?: Readonly<Record<string, unknown>> | undefined
}

export type PasswordRefusal =
  | { kind: 'strength'; rules: VendorPasswordRule[]; policy: string }
  | { kind: 'dictionary' }
  | { kind: 'personal' }
  | { kind: 'history'; size: number }
  | { kind: 'breached' }

const LEVELS: Record<PasswordLevel, { least: number; rules: readonly RuleCheck[] }> = {
  none: { least: 1, rules: [] },
  low: { least: 6, rules: [] },
  fair: { least: 8, rules: [shouldContain] },
  good: { least: 8, rules: [threeOfFour] },
  excellent: { least: 10, rules: [threeOfFour, noThreeInARow] },
}

export function policyOf(options: PasswordOptions): PasswordPolicy {
  const { passwordPolicy, password_dictionary, password_no_personal_info, password_history } = options
  const ours = passwordPolicy === undefined
  const level = ours ? { least: SHORTEST, rules: [] } : LEVELS[passwordPolicy]
  const least = options.password_complexity_options?.min_length ?? level.least
  const extra = (password_dictionary?.dictionary ?? []).map((word) => word.toLowerCase())
  return {
    rules: [least > 1 ? lengthAtLeast(least) : notEmpty, ...level.rules],
    dictionary: (password_dictionary?.enable ?? ours) ? { extra: new Set(extra) } : null,
    refusesPersonal: password_no_personal_info?.enable ?? ours,
    refusesAddress: password_no_personal_info?.enable ?? true,
    history: password_history?.enable ? password_history.size : 0,
  }
}

/** The rules for display, with the result for an empty password. */
export const describePolicy = (policy: PasswordPolicy): VendorPasswordRule[] => policy.rules.map((check) => check(''))

/** The first reason to refuse the password, or null. */
export function judgePassword(
  policy: PasswordPolicy,
  password: string,
  person: PersonalData,
  commonPasswords: ReadonlySet<string>,
): PasswordRefusal | null {
  const rules = policy.rules.map((check) => check(password))
  const longest = maxLength(password)
  if (!longest.verified) rules.push(longest)
  if (!rules.every(({ verified }) => verified)) return { kind: 'strength', rules, policy: describeRules(rules) }
  if (policy.refusesAddress && isAddress(password, person)) return { kind: 'personal' }
  if (policy.dictionary && isListed(password, policy.dictionary.extra, commonPasswords)) return { kind: 'dictionary' }
  if (policy.refusesPersonal && isPersonal(password, person)) return { kind: 'personal' }
  return null
}

function isListed(password: string, extra: ReadonlySet<string>, common: ReadonlySet<string>): boolean {
  const word = password.toLowerCase()
  return extra.has(word) || common.has(word)
}

/** Applies to an address of any length. */
function isAddress(password: string, { email }: PersonalData): boolean {
  const text = password.trim().toLowerCase()
  return [email, email?.split('@', 1)[0]].some((part) => part?.toLowerCase() === text)
}

/** Shorter parts occur in too many words by chance. */
const MIN_PART_LENGTH = 3

function isPersonal(password: string, person: PersonalData): boolean {
  const text = password.toLowerCase()
  return wordsOf(person).some((word) => word.length >= MIN_PART_LENGTH && text.includes(word))
}

function wordsOf({ email, username, name, nickname, givenName, familyName, metadata = {} }: PersonalData): string[] {
  const names = [username, name, nickname, givenName, familyName, metadata.name, metadata.first, metadata.last]
  const texts = [email?.split('@', 1)[0], ...names].filter((value) => typeof value === 'string')
  return texts.flatMap((value) => [value.toLowerCase(), ...value.toLowerCase().split(/\s+/)])
}
