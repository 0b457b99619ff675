// Actions, rules, and what runs them.

import { managedActions } from '../../../adapters/store/prisma/management/actions'
import { executionStore } from '../../../adapters/store/sql/management/action-executions'
import { ACTION_FACTORS } from '../../../identity/mfa/factors/index'
import { tryAction } from '../../../identity/tenant-code/actions/engine'
import { HANDLERS } from '../../../identity/tenant-code/actions/methods'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const actions = ({ db, tenantId, runtime, stores, shared }: ManagementOpening) =>
  ({
    managedActions: managedActions(db, tenantId, stores.actions.find.forget),
    executions: executionStore(db, tenantId),
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
