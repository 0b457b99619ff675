// Applications, APIs and connections, as logins read them, and the scripts of connections.
import type { ManagementDeps } from '../../../management/deps'
import { issueTestToken } from '../../../protocols/oauth/test-token'
import type { ManagementOpening } from './opening'

export const applications = ({ runtime, stores }: ManagementOpening) =>
  ({
    clients: stores.clients,
    apis: runtime.apis,
    issueTestToken: (request) => issueTestToken(request, runtime, runtime.issuing()),
    connections: stores.connections,
    scriptBuilds: stores.scriptBuilds,
    scripts: runtime.scripts,
    noteScript: runtime.noteScript,
    scriptedAccounts: stores.scriptedAccounts,
  }) satisfies Partial<ManagementDeps>
