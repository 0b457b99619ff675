// Second factors: a list of all that a login may ask for, and the way to the page that adds one.

import type { TenantSettings } from '../../data/tenants/settings'
import { issueTicket } from '../../data/tickets/ticket'
import { checkAddressProven, isAddressProven } from '../../data/users/first-proof'
import type { User } from '../../data/users/user'
import { factorSettings } from '../../identity/mfa/administrator-factors'
import { isImplied, listFactors } from '../../identity/mfa/enrolled'
import { ENROLLMENT_PATH, ENROLLMENT_STEP } from '../../identity/mfa/enrollment-ticket'
import { byRank, type FactorName, factorOf, isKnown, maskedName } from '../../identity/mfa/factors/index'
import { enrollableFactors, factorOccasion, isEnabled } from '../../identity/mfa/policy'
import { removeFactors } from '../../identity/mfa/remove'
import type { ViewOf } from '../../pages/screens'
import type { Runtime } from '../runtime/runtime'
import { definePage, type PortalCall } from './page'
import { makerIn } from './step'

export const factors = definePage('factors', {
  isOffered: async ({ user, runtime }) => enrollableFactors(await factorSettings(user, runtime)).length > 0,
  async view({ user, runtime }) {
    const { all, enrollable, chosen } = await listFactors(user, runtime)
    const settings = await factorSettings(user, runtime)
    const active = all.filter((each) => each.active)
    const wanted = user.factorWantedAt !== null
    return {
      factors: active.toSorted(byRank).map((each) => {
        const { id: kind } = factorOf(each)
        const name = maskedName(each)
        return {
          id: each.id,
          kind,
          ...(name === null ? {} : { name }),
          ...(isImplied(each, user) ? { isFixed: true } : {}),
          ...(isEnabled(kind, settings) ? {} : { isOff: true }),
        }
      }),
      // One that is added here is wanted.
      occasion: factorOccasion(runtime.settings, wanted || !chosen),
      offersAsking: chosen && isWish(runtime.settings, wanted),
      adding: await addingOf(user, enrollable, runtime),
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
    ask: {
      fresh: true,
      async run({ user, runtime }) {
        const { chosen } = await listFactors(user, runtime)
        if (!chosen || !isWish(runtime.settings, user.factorWantedAt !== null)) return { notice: 'portal_gone' }
        await runtime.authenticators.want(user.id, runtime.clock.now())
        runtime.trail.record('changed', { user, change: 'second factor asked for' })
        return { notice: 'portal_saved' }
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

/** Whether the user alone decides that logins ask for a factor, and has not yet. */
const isWish = (settings: TenantSettings, wanted: boolean): boolean =>
  !wanted && factorOccasion(settings, false) === 'never' && factorOccasion(settings, true) === 'each'

type Adding = ViewOf<'account-factors'>['adding']

async function addingOf(user: User, enrollable: readonly FactorName[], runtime: Runtime): Promise<Adding> {
  if (enrollable.length === 0) return 'off'
  return (await isAddressProven(user, runtime)) ? 'yes' : 'unverified'
}

/** A verified address that is a factor without enrolment is not one of these. */
const enrolled = async ({ user, runtime }: PortalCall) =>
  (await runtime.authenticators.list(user.id)).filter((each) => each.active && isKnown(each))
