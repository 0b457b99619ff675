// Connections and their scripts.
import { managedConnections } from '../../../adapters/store/prisma/management/connections'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const connections = ({ db, tenantId, runtime, stores }: ManagementOpening) =>
  ({
    connections: stores.connections,
    managedConnections: managedConnections(db, tenantId, stores.connections.forget),
    scriptBuilds: stores.scriptBuilds,
    scripts: runtime.scripts,
    noteScript: runtime.noteScript,
    scriptedAccounts: stores.scriptedAccounts,
  }) satisfies Partial<ManagementDeps>
