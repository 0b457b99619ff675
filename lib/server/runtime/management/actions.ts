// Actions, rules, and what runs them.

import { ACTION_FACTORS } from '../../../identity/mfa/factors/index'
import { tryAction } from '../../../identity/tenant-code/actions/engine'
import { HANDLERS } from '../../../identity/tenant-code/actions/methods'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const actions = ({ tenantId, runtime, stores, shared }: ManagementOpening) =>
  ({
    async tryAction(action, event) {
      const { sandbox } = shared
      const { vault, clock, random } = runtime
      return tryAction(action, event, HANDLERS[action.trigger], {
        tenantId,
        actions: stores.actions,
        factors: ACTION_FACTORS,
        sandbox,
        vault,
        clock,
        random,
      })
    },
    triggers: runtime.triggers,
  }) satisfies Partial<ManagementDeps>
