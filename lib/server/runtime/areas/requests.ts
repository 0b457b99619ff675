// A runtime for one request: with the audit trail of the request, and with rules that know what caused it.
import { isOfAction, OF_ACTION } from '../../../adapters/channels/action-reach'
import { openTrail } from '../../../data/audit/trail'
import { createLocalAccess } from '../../../settings/local-access'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'
import { type openRecording, sourceOf } from './reports'
import type { openTriggers } from './triggers'

/** @param base the runtime without a request */
export function openRequests(
  base: () => Runtime,
  recording: ReturnType<typeof openRecording>,
  { engineOf, scriptsOf, nestedRules }: ReturnType<typeof openTriggers>,
  { tenant, sites, shared }: Opening,
) {
  const isLocal = createLocalAccess(sites.all[0].baseUrl, shared.port)
  const opensLocally = shared.demo || shared.devOutbox
  return {
    // Not a copy: the object inherits everything but the members that depend on the request.
    within(request, endpoint) {
      const own: Runtime = Object.create(base())
      own.trail = openTrail(sourceOf(request), recording, endpoint)
      const mark = request.headers[OF_ACTION]
      const nested = mark !== undefined && isOfAction(mark, tenant.id, shared.clock.now(), shared.vault)
      const requestId = shared.passesRequestIds ? request.id : undefined
      if (request.fingerprint || requestId)
        own.triggers = engineOf({ nested, fingerprint: request.fingerprint, requestId })
      else if (nested) own.triggers = nestedRules()
      if (nested || requestId) own.scripts = scriptsOf({ nested, requestId })
      if (opensLocally && isLocal(request)) {
        own.demo = shared.demo
        own.devOutbox = shared.devOutbox
      }
      return own
    },
  } satisfies Partial<Runtime>
}
