// Every operation of the Management API. Adding a resource is a file here, its store, and a line.
import type { ManagementDeps } from '../deps'
import type { Operation } from '../operation'
import { actionBindings } from './action-bindings'
import { actions } from './actions'
import { clientGrants } from './client-grants'
import { clients } from './clients'
import { connections } from './connections'
import { organizationClientGrants } from './organization-client-grants'
import { organizationConnections } from './organization-connections'
import { organizationInvitations } from './organization-invitations'
import { organizationMembers } from './organization-members'
import { organizations } from './organizations'
import { resourceServers } from './resource-servers'
import { roles } from './roles'
import { users } from './users'

export const OPERATIONS: readonly Operation<ManagementDeps>[] = [
  ...clients,
  ...clientGrants,
  ...resourceServers,
  ...connections,
  ...roles,
  ...actions,
  ...actionBindings,
  ...organizations,
  ...organizationMembers,
  ...organizationConnections,
  ...organizationInvitations,
  ...organizationClientGrants,
  ...users,
]
