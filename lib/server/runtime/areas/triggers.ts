import type { HttpRequest } from '../../../http/message'
import { ACTION_FACTORS } from '../../../identity/mfa/factors/index'
import { profileByScript } from '../../../identity/strategies/script-profile'
import { createEngine } from '../../../identity/tenant-code/actions/engine'
import type { ScriptRunner } from '../../../identity/tenant-code/scripts/run-script'
import { createScriptRunner } from '../../../identity/tenant-code/scripts/run-script'
import type { TriggerEngine } from '../../../identity/tenant-code/trigger'
import { once } from '../../../kernel/lazy'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

/** What of a request concerns the actions that it causes. */
type Cause = { nested: boolean; fingerprint?: HttpRequest['fingerprint']; requestId?: string | undefined }

/** Engines for a cause, and what the scripts of connections need. */
export function openTriggers({ tenant, legacy, stores, shared }: Opening) {
  const { settings } = tenant
  const { clock, random, vault, log } = shared
  const engineOf = ({ nested, fingerprint, requestId }: Cause): TriggerEngine =>
    createEngine({
      ...{
        tenantId: tenant.id,
        nested,
        requestId,
        triggers: settings.triggers,
        factors: ACTION_FACTORS,
        actions: stores.actions,
      },
      legacy,
      scriptBuilds: stores.scriptBuilds,
      ...{
        sandbox: shared.sandbox,
        runs: shared.actionRuns,
        placeOf: shared.placeOf,
        fingerprint,
        vault,
        clock,
        random,
      },
    })

  const scriptsOf = ({ nested, requestId }: Cause): ScriptRunner =>
    createScriptRunner({
      ...{ tenantId: tenant.id, nested, requestId, bundles: stores.actions },
      ...{ sandbox: shared.sandbox, runs: shared.actionRuns, clock, random },
    })
  return {
    engineOf,
    scriptsOf,
    nestedRules: once(() => engineOf({ nested: true })),
    scripting: {
      triggers: engineOf({ nested: false }),
      scripts: scriptsOf({ nested: false }),
      noteScript({ name: connection }, script, problem) {
        log.warn(
          { tenant: tenant.id, connection, script, problem },
          'A script of a connection gave an answer that cannot be used.',
        )
      },
      profileByScript(this: Runtime, connection, accessToken, context) {
        return profileByScript(connection, accessToken, context, this)
      },
    } satisfies Partial<Runtime>,
  }
}
