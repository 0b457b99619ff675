// The recovery code. The answer of `begin` shows the new code, and nothing shows it again. The code in use stays until `verify`: the
// person has the new one by then. It replaces a factor, so a person without one has none.
import * as z from 'zod'
import { composeSignInMail } from '../../../identity/accounts/sign-in-mail'
import { newAuthenticatorId } from '../../../identity/mfa/authenticator'
import { isFallback, isKnown } from '../../../identity/mfa/factors/index'
import {
  digestOfRecoveryCode,
  recoveryCode as factor,
  newRecoveryCode,
} from '../../../identity/mfa/factors/recovery-code'
import { viewOfMethod } from '../../../identity/mfa/method-view'
import { isEnabled } from '../../../identity/mfa/policy'
import { removeFactors } from '../../../identity/mfa/remove'
import { accessDenied, type DomainError, invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { invalidMember, readBody, sessionOver } from '../read-body'
import type { MethodKind, MyAccountCall } from './kind'
import { endSession, findSession, openSession } from './session'

const TYPE = factor.names.method

const beginBody = once(() => z.strictObject({ type: z.literal(TYPE) }))
const verifyBody = once(() => z.strictObject({ auth_session: z.string().min(1).max(100) }))

export const recoveryCode: MethodKind = {
  usage: 'secondary',
  begins: { [TYPE]: beginBody },
  verifies: verifyBody,
  owns: (id) => id.startsWith(`${factor.names.idPrefix}|`),
  available: async ({ runtime }) => (isEnabled(factor.id, runtime.settings) ? [TYPE] : []),
  list: async (call) => (await codesOf(call)).map(viewOfMethod),
  async begin(call, members) {
    readBody(beginBody(), members)
    const { random, vault, settings, trail } = call.runtime
    if (!isEnabled(factor.id, settings)) throw invalidRequest('This factor cannot be enrolled')
    if (!call.enrolments.chosen) throw noFactor()
    const id = newAuthenticatorId(factor.names.idPrefix, random)
    const code = newRecoveryCode(random)
    const session = { id, type: TYPE, digest: digestOfRecoveryCode(code, vault) }
    trail.record('factor_enrolling', { user: call.user, factor: factor.id })
    return { id, body: { id, auth_session: await openSession(call, session), recovery_code: code } }
  },
  async verify(call, id, members) {
    const { auth_session } = readBody(verifyBody(), members)
    const { authenticators, clock, mailer, trail } = call.runtime
    const secretDigest = await findSession(call, id, auth_session)
    if (!secretDigest) throw sessionOver()
    await endSession(call, auth_session)
    const mail = await composeSignInMail(call.user, { what: 'renewed', ways: [factor.id] }, call.runtime)
    const { id: userId, recoveryEpoch } = call.user
    const given = { id, userId, recoveryEpoch, secretDigest, at: clock.now(), mail }
    if (!(await authenticators.giveRecoveryCode(given))) throw noFactor()
    mailer.wake()
    trail.record('factor_enrolled', { user: call.user, factor: factor.id })
    return id
  },
  async change(call, id) {
    if (!(await codesOf(call)).some((each) => each.id === id)) return false
    throw invalidMember('name', 'A recovery code has no name')
  },
  async remove(call, id) {
    const own = (await codesOf(call)).filter((each) => each.id === id)
    return removeFactors(call.user, own, call.runtime)
  },
}

const codesOf = async ({ user, runtime }: MyAccountCall) =>
  (await runtime.authenticators.list(user.id)).filter((each) => isKnown(each) && isFallback(each))

const noFactor = (): DomainError =>
  accessDenied('A recovery code needs another factor that it can replace', { reason: 'factor_needed_first' })
