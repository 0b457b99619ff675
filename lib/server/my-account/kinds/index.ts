// The kinds of authentication methods, in the order in which they are listed, and the look-ups in them. The last one owns every id that
// is of no other kind.

import { FACTORS } from '../../../identity/mfa/factors/index'
import { notFound } from '../../../kernel/errors'
import { factors } from './factors'
import type { MethodKind, MyAccountCall, PresentedMethod } from './kind'
import { passkey } from './passkey'
import { password } from './password'
import { recoveryCode } from './recovery-code'

export const KINDS: readonly MethodKind[] = [password, passkey, recoveryCode, factors]

/** The types that a request can add. */
export const ADDED_TYPES: readonly string[] = KINDS.flatMap(({ begins }) => Object.keys(begins))

/** The types that a person can have. */
export const TYPES: readonly string[] = [...new Set([...ADDED_TYPES, ...FACTORS.map(({ names }) => names.method)])]

export const kindOfType = (type: unknown): MethodKind | undefined =>
  KINDS.find(({ begins }) => typeof type === 'string' && Object.hasOwn(begins, type))

export const kindOfId = (id: string): MethodKind => KINDS.find((kind) => kind.owns(id)) ?? factors

export type Shown = PresentedMethod & { usage: readonly MethodKind['usage'][] }

export async function methodsOf(call: MyAccountCall, kinds: readonly MethodKind[] = KINDS): Promise<Shown[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => (await kind.list(call)).map((method) => ({ ...method, usage: [kind.usage] }))),
  )
  return found.flat()
}

/** One of the caller's own. */
export async function methodNamed(call: MyAccountCall, id: string): Promise<Shown> {
  const found = (await methodsOf(call, [kindOfId(id)])).find((each) => each.id === id)
  if (!found) throw noMethod()
  return found
}

export const noMethod = () => notFound('The authentication method does not exist')
