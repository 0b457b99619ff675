// The sections of the console, in the order of the navigation: one line each. A section is a folder below app/console with a page.tsx;
// people see it whose role may call the operation that its page lists (docs/console.md).
import type { IconName } from './icon'

export type Section = { path: string; title: string; icon: IconName; operation: string | null }

export const SECTIONS: readonly Section[] = [
  { path: '/console', title: 'Home', icon: 'home', operation: null },
  { path: '/console/applications', title: 'Applications', icon: 'applications', operation: 'clients.list' },
  { path: '/console/apis', title: 'APIs', icon: 'apis', operation: 'resource_servers.list' },
  { path: '/console/users', title: 'Users', icon: 'users', operation: 'users.list' },
  { path: '/console/roles', title: 'Roles', icon: 'roles', operation: 'roles.list' },
  { path: '/console/organizations', title: 'Organizations', icon: 'organizations', operation: 'organizations.list' },
  { path: '/console/connections', title: 'Connections', icon: 'connections', operation: 'connections.list' },
  { path: '/console/logs', title: 'Logs', icon: 'logs', operation: 'logs.list' },
  {
    path: '/console/administrators',
    title: 'Administrators',
    icon: 'administrators',
    operation: 'administrators.list',
  },
]
