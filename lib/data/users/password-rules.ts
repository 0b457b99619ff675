// The rules of a password's composition, as the rule objects that the vendor's SDKs read: messages contain `%d`, `format` has the
// values. Pure; `lengthAtLeast` counts characters, so an emoji counts as one.
import { MAX_PASSWORD_LENGTH } from './password'

export type VendorPasswordRule = {
  code: string
  message: string
  format?: (number | string)[]
  items?: VendorPasswordRule[]
  verified: boolean
}

/** Evaluates one rule for a password. */
export type RuleCheck = (password: string) => VendorPasswordRule

const has =
  (code: string, message: string, pattern: RegExp): RuleCheck =>
  (password) => ({ message, code, verified: pattern.test(password) })

const LOWER = has('lowerCase', 'lower case letters (a-z)', /[a-z]/)
const UPPER = has('upperCase', 'upper case letters (A-Z)', /[A-Z]/)
const DIGITS = has('numbers', 'numbers (i.e. 0-9)', /[0-9]/)
const SPECIAL = has('specialCharacters', 'special characters (e.g. !@#$%^&*)', /[ -/:-@[-`{-~]/)

export const notEmpty: RuleCheck = (password) => ({
  message: 'Non-empty password required',
  code: 'nonEmpty',
  verified: password.length > 0,
})

export const lengthAtLeast =
  (least: number): RuleCheck =>
  (password) => ({
    message: 'At least %d characters in length',
    format: [least],
    code: 'lengthAtLeast',
    verified: [...password].length >= least,
  })

/** Listed only when violated: it is irrelevant to nearly all passwords. */
export const maxLength: RuleCheck = (password) => ({
  message: 'At most %d characters in length',
  format: [MAX_PASSWORD_LENGTH],
  code: 'maxLength',
  verified: password.length <= MAX_PASSWORD_LENGTH,
})

export const shouldContain: RuleCheck = (password) => {
  const items = [LOWER, UPPER, DIGITS].map((check) => check(password))
  return {
    message: 'Should contain:',
    code: 'shouldContain',
    items,
    verified: items.every(({ verified }) => verified),
  }
}

export const threeOfFour: RuleCheck = (password) => {
  const items = [LOWER, UPPER, DIGITS, SPECIAL].map((check) => check(password))
  return {
    message: 'Contain at least %d of the following %d types of characters:',
    code: 'containsAtLeast',
    format: [3, 4],
    items,
    verified: items.filter(({ verified }) => verified).length >= 3,
  }
}

export const noThreeInARow: RuleCheck = (password) => ({
  message: 'No more than %d identical characters in a row (e.g., "%s" not allowed)',
  code: 'identicalChars',
  format: [2, 'aaa'],
  verified: !/(.)\1\1/su.test(password),
})

/** The rules as text: one line per rule, with its items indented below. */
export const describeRules = (rules: readonly VendorPasswordRule[]): string =>
  rules.flatMap((rule) => [`* ${filled(rule)}`, ...(rule.items ?? []).map((item) => ` * ${filled(item)}`)]).join('\n')

function filled({ message, format = [] }: VendorPasswordRule): string {
  const values = [...format]
  return message.replace(/%[ds]/g, () => String(values.shift() ?? ''))
}
