// What the operations need together. Each resource names its own part.
import type { ClientGrantDeps } from './resources/client-grants'
import type { ClientDeps } from './resources/clients'
import type { ConnectionDeps } from './resources/connections'
import type { ResourceServerDeps } from './resources/resource-servers'
import type { RoleDeps } from './resources/roles'

export type ManagementDeps = ClientDeps & ResourceServerDeps & ClientGrantDeps & ConnectionDeps & RoleDeps
