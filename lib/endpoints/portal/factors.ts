// Second factors: a list of all that a login may ask for, and the way to the page that adds one.

import { isImplied, listFactors } from '../../mfa/enrolled'
import { ENROLLMENT_PATH, ENROLLMENT_STEP } from '../../mfa/enrollment-ticket'
import { byRank, factorOf, isKnown, maskedName } from '../../mfa/factors/index'
import { removeFactors } from '../../mfa/remove'
import { issueTicket } from '../../tickets/ticket'
import { checkAddressProven } from '../../users/first-proof'
import { definePage, type PortalCall } from './page'
import { makerIn } from './step'

export const factors = definePage('factors', {
  async view({ user, runtime }) {
    const { all, enrollable } = await listFactors(user, runtime)
    const active = all.filter((each) => each.active)
    return {
      factors: active.toSorted(byRank).map((each) => {
        const name = maskedName(each)
        const isFixed = isImplied(each, user)
        return {
          id: each.id,
          kind: factorOf(each).id,
          ...(name === null ? {} : { name }),
          ...(isFixed ? { isFixed } : {}),
        }
      }),
      canAdd: enrollable.length > 0,
    }
  },
  actions: {
    add: {
      fresh: true,
      async run(call) {
        const { user, runtime } = call
        await checkAddressProven(user, runtime)
        const payload = { ...makerIn(call), record: null, multiple: true }
        const ticket = await issueTicket(ENROLLMENT_STEP, payload, runtime, { subject: user.id })
        return { to: `${ENROLLMENT_PATH}?ticket=${ticket}` }
      },
    },
    remove: {
      fresh: true,
      async run(call) {
        const { user, input, runtime } = call
        const own = (await enrolled(call)).filter(({ id }) => id === input.factor)
        return { notice: (await removeFactors(user, own, runtime)) ? 'portal_removed' : 'portal_gone' }
      },
    },
  },
})

/** A verified address that is a factor without enrolment is none of these. */
const enrolled = async ({ user, runtime }: PortalCall) =>
  (await runtime.authenticators.list(user.id)).filter((each) => each.active && isKnown(each))
