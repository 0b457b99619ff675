// A trail that leads nowhere, for pure tests of what tells something.
import { serverTrail } from '../audit/trail'
import { fixedClock } from '../kernel/clock'

export const silentTrail = serverTrail({
  tenantId: 'default',
  hostname: 'id.test',
  audit: { record: () => {}, flush: async () => {} },
  clock: fixedClock(),
})
