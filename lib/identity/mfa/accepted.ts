// Which of a user's factors count in one login: all of them, or those of the types that an action of the tenant asks for
// (threat-model.md MF8). Pages, grants and the MFA API all read the factors of a login from here.
// - A recovery code replaces no factor of a named type. It counts only if `recovery-code` is named.
// - A user without a factor of a named type may add one only if the action allows it. A user who has another factor proves that
//   one first (MF2).
import type { User } from '../../data/users/user'
import type { Authenticator } from './authenticator'
import { type Enrolments, type FactorListDeps, listFactors } from './enrolled'
import { factorNamed, factorOf } from './factors/index'

export type TypeDemand = {
  /** The vendor's types; a factor of one of them has to be proven. */
  types: readonly string[]
  /** Whether a user who has none of them may add one. */
  mayEnroll: boolean
  /** Whether this login itself has proven a factor of any type. */
  factorProven: boolean
}

type Subject = { user: User; typed: TypeDemand | null }

export const acceptedFactors = async ({ user, typed }: Subject, deps: FactorListDeps): Promise<Enrolments> =>
  narrowed(await listFactors(user, deps), typed)

export function narrowed(found: Enrolments, typed: TypeDemand | null): Enrolments {
  if (typed === null) return found
  const isNamed = (each: Authenticator): boolean => typed.types.includes(factorOf(each).names.type)
  const waiting = found.waiting.filter(isNamed)
  const usable = found.enrolled ? found.usable.filter(isNamed) : []
  if (usable.length > 0) return { ...found, usable, waiting, enrollable: [] }
  const enrollable = typed.mayEnroll
    ? found.enrollable.filter((name) => typed.types.includes(factorNamed(name).names.type))
    : []
  if (found.enrolled && !typed.factorProven && enrollable.length > 0) return { ...found, enrollable: [] }
  return { ...found, usable: [], waiting, enrollable, enrolled: false }
}
