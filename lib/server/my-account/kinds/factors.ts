// Second factors but the recovery code: an authenticator app, a phone, an address, a device.
// - A method is confirmed by the code of the app, the code that was sent, or the device. The statement that confirms it decides
//   between concurrent callers.
// - No recovery code comes with the first factor: the API has an enrolment of its own for it.
import * as z from 'zod'
import type { TenantSettings } from '../../../data/tenants/settings'
import { checkAddressProven } from '../../../data/users/first-proof'
import { factorSettings } from '../../../identity/mfa/administrator-factors'
import { beginEnrollment } from '../../../identity/mfa/enroll'
import {
  FACTORS,
  type FactorName,
  factorNamed,
  factorOf,
  isFallback,
  isKnown,
} from '../../../identity/mfa/factors/index'
import { tooManyWrong } from '../../../identity/mfa/failure-limit'
import { viewOfMethod } from '../../../identity/mfa/method-view'
import { isEnabled } from '../../../identity/mfa/policy'
import { type MfaFailure, proveEnrollment } from '../../../identity/mfa/prove'
import { removeFactors } from '../../../identity/mfa/remove'
import { accessDenied, type DomainError, invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { invalidMember, readBody, sessionOver } from '../read-body'
import type { MethodKind, MyAccountCall } from './kind'
import { endSession, findSession, openSession } from './session'

const MAX_FACTORS = 20

const preferred = () => z.enum(['sms', 'voice']).optional()

const BEGINS = {
  totp: once(() => z.strictObject({ type: z.literal('totp') })),
  phone: once(() =>
    z.strictObject({
      type: z.literal('phone'),
      phone_number: z.string().min(1).max(60),
      preferred_authentication_method: preferred(),
    }),
  ),
  email: once(() => z.strictObject({ type: z.literal('email'), email: z.string().min(1).max(320) })),
  'push-notification': once(() => z.strictObject({ type: z.literal('push-notification') })),
}

const anyBegin = once(() =>
  z.discriminatedUnion('type', [BEGINS.totp(), BEGINS.phone(), BEGINS.email(), BEGINS['push-notification']()]),
)

const verifyBody = once(() =>
  z.strictObject({ auth_session: z.string().min(1).max(100), otp_code: z.string().min(1).max(100).optional() }),
)

export const factors: MethodKind = {
  usage: 'secondary',
  begins: BEGINS,
  verifies: verifyBody,
  owns: () => true,
  async available({ user, runtime }) {
    const settings = await factorSettings(user, runtime)
    const enabled = FACTORS.filter(({ id, isFallback: not }) => !not && isEnabled(id, settings))
    return [...new Set(enabled.map(({ names }) => names.method))].filter((type) => Object.hasOwn(BEGINS, type))
  },
  list: async (call) => (await enrolledBy(call)).map(viewOfMethod),
  async begin(call, members) {
    const body = readBody(anyBegin(), members)
    await checkAddressProven(call.user, call.runtime)
    if ((await enrolledBy(call)).length >= MAX_FACTORS)
      throw accessDenied(`A person can have ${MAX_FACTORS} factors`, { reason: 'factor_limit_reached' })
    const name = body.type === 'phone' ? phoneFactor(body.preferred_authentication_method, call) : named(body.type)
    const { authenticator, challenge, barcodeUri, secret } = await beginEnrollment(
      call.subject,
      name,
      {
        phoneNumber: body.type === 'phone' ? body.phone_number : undefined,
        email: body.type === 'email' ? body.email : undefined,
      },
      { vouched: call.vouched, withRecoveryCode: false },
      call.runtime,
    )
    const { id } = authenticator
    const session = { id, type: body.type, digest: challenge?.digest ?? null }
    return {
      id,
      body: {
        id,
        auth_session: await openSession(call, session),
        ...(barcodeUri === undefined ? {} : { barcode_uri: barcodeUri }),
        ...(secret === undefined ? {} : { manual_input_code: secret }),
      },
    }
  },
  async verify(call, id, members) {
    const { auth_session, otp_code: answer } = readBody(verifyBody(), members)
    const challenge = await findSession(call, id, auth_session)
    const waiting = call.enrolments.waiting.find((each) => each.id === id)
    if (!waiting) throw sessionOver()
    if (answer === undefined && factorOf(waiting).page.confirms !== 'push')
      throw invalidMember('otp_code', 'The code is missing')
    const verdict = await proveEnrollment(id, { challenge, answer }, call.subject, call.runtime)
    if (verdict.outcome !== 'passed') throw refusalOf(verdict)
    await endSession(call, auth_session)
    return id
  },
  async change(call, id, { name, preferred_authentication_method: channel }) {
    const found = (await enrolledBy(call)).find((each) => each.id === id)
    if (!found) return false
    if (channel !== undefined) checkChannel(factorOf(found).names.method, channel, call.runtime.settings)
    return call.runtime.authenticators.change(call.user.id, id, { name, channel })
  },
  async remove(call, id) {
    const own = (await enrolledBy(call)).filter((each) => each.id === id)
    return removeFactors(call.user, own, call.runtime)
  },
}

/** A verified address that is a factor without enrolment is not one of these. */
const enrolledBy = async ({ user, runtime }: MyAccountCall) =>
  (await runtime.authenticators.list(user.id)).filter((each) => isKnown(each) && !isFallback(each))

function named(method: string): FactorName {
  const factor = FACTORS.find(({ names }) => names.method === method)
  if (factor) return factor.id
  throw new Error(`there is no factor for ${method}`)
}

function phoneFactor(wanted: 'sms' | 'voice' | undefined, { runtime: { settings } }: MyAccountCall): FactorName {
  return wanted ?? (!isEnabled('sms', settings) && isEnabled('voice', settings) ? 'voice' : 'sms')
}

/** A factor of a disabled kind proves nothing, so no change may make it one. */
function checkChannel(method: string, channel: 'sms' | 'voice', settings: TenantSettings): void {
  if (method !== factorNamed(channel).names.method)
    throw invalidMember('preferred_authentication_method', 'Only a phone has it')
  if (!isEnabled(channel, settings)) throw invalidMember('preferred_authentication_method', 'It is not enabled')
}

function refusalOf({ outcome }: MfaFailure): DomainError {
  switch (outcome) {
    case 'blocked':
      return tooManyWrong()
    case 'wrong':
    case 'code-missing':
      return invalidMember('otp_code', 'The code is wrong')
    case 'pending':
      return invalidRequest('The device has not answered yet')
    case 'rejected':
      return invalidRequest('The device refused')
    default:
      return sessionOver()
  }
}
