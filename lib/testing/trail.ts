// An audit trail that discards its events, for pure tests.
import { serverTrail } from '../data/audit/trail'
import { fixedClock } from '../kernel/clock'

export const silentTrail = serverTrail({
  tenantId: 'default',
  hostname: 'id.test',
  audit: { record: () => {}, flush: async () => {} },
  clock: fixedClock(),
})
