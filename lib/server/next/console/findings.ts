// What needs attention: the doctor's findings, and what only the console knows. For owners and admins, because findings name parts of the
// operator's network.

import { doubtful, type Finding } from '../../doctor/finding'
import { reportFailure } from '../runtime'
import { requireSession } from './session'

/** Those that are not well; null for a role that does not see them. */
export async function readFindings(): Promise<Finding[] | null> {
  const { administrator, runtime, request } = await requireSession()
  if (administrator.role !== 'owner' && administrator.role !== 'admin') return null
  const { headers, ip } = request
  const arrival = { ip, forwardedFor: undefined, forwarded: undefined, forwardedProto: undefined, host: headers.host }
  const found = await runtime.examiner?.examine(arrival).catch((error: unknown) => {
    reportFailure(error)
    return []
  })
  const own = runtime.settings.tenant.console_second_factor ? [] : [doubtful('administrators', NO_FACTOR)]
  return [...(found ?? []).filter(({ about, health }) => health !== 'well' && about !== OF_ARRIVAL), ...own]
}

/** How a request came through proxies is not seen behind Next, which adds headers of its own. */
const OF_ARRIVAL = 'proxy'

const NO_FACTOR =
  'Administrators enter the console without a second factor. Turn it on in the settings, under Administrators.'
