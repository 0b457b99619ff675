// The checks of an assertion as a list: all of them are made, so that the login inspector shows each, and the first that fails is thrown.
import { DomainError } from '../../kernel/errors'

export const ASSERTION_CHECKS = [
  'signature',
  'issuer',
  'destination',
  'in_response_to',
  'conditions',
  'audience',
  'session',
  'confirmation',
  'subject',
] as const
export type AssertionCheckName = (typeof ASSERTION_CHECKS)[number]

/** `problem` is null where the check holds. */
export type AssertionCheck = { name: AssertionCheckName; problem: string | null }

const CHECKS = Symbol('checks')

/** The checks that were made before an error of an assertion. */
export const checksOf = (error: unknown): AssertionCheck[] =>
  error instanceof DomainError ? ((error as { [CHECKS]?: AssertionCheck[] })[CHECKS] ?? []) : []

export const withChecks = (error: DomainError, checks: AssertionCheck[]): DomainError =>
  Object.assign(error, { [CHECKS]: checks })

export function createChecks() {
  const checks: AssertionCheck[] = []
  let failure: DomainError | undefined

  function attempt<T>(name: AssertionCheckName, work: () => T): T | undefined {
    try {
      const result = work()
      checks.push({ name, problem: null })
      return result
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      checks.push({ name, problem: error.description })
      failure ??= error
      return undefined
    }
  }

  const thrown = (): never => {
    throw failure ? withChecks(failure, checks) : new Error('no check has failed')
  }

  return {
    /** What the other checks read: where it fails, none of them is made. */
    first: <T>(name: AssertionCheckName, work: () => T): T => attempt(name, work) ?? thrown(),
    add: (name: AssertionCheckName, work: () => void): void => {
      attempt(name, work)
    },
    /** The last check, whose result counts if all hold. */
    end<T>(name: AssertionCheckName, work: (checks: AssertionCheck[]) => T): T {
      const result = attempt(name, () => work(checks))
      return failure === undefined && result !== undefined ? result : thrown()
    },
  }
}
