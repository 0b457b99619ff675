// The log, its streams and its figures.
import { managedLogStreams } from '../../../adapters/store/prisma/management/log-streams'
import { logStore, statsStore } from '../../../adapters/store/prisma/management/logs'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const logs = ({ db, tenantId, shared }: ManagementOpening) =>
  ({
    logs: logStore(db, tenantId),
    logStreams: managedLogStreams(db, tenantId),
    wakeStreams: shared.wakeStreams,
    stats: statsStore(db, tenantId),
  }) satisfies Partial<ManagementDeps>
