// The sections of the console, in the order of the navigation: one line each. A section is a folder below app/console with a page.tsx;
// people see it whose role may call the operation that its page lists (docs/console.md).
import { say } from '../../../lib/texts/console'
import type { IconName } from './icon'

export type Section = { path: string; title: string; icon: IconName; operation: string | null }

export const SECTIONS: readonly Section[] = [
  { path: '/console', title: say('home.title'), icon: 'home', operation: null },
  { path: '/console/applications', title: say('applications.title'), icon: 'applications', operation: 'clients.list' },
  { path: '/console/apis', title: say('apis.title'), icon: 'apis', operation: 'resource_servers.list' },
  { path: '/console/users', title: say('users.title'), icon: 'users', operation: 'users.list' },
  { path: '/console/roles', title: say('roles.title'), icon: 'roles', operation: 'roles.list' },
  {
    path: '/console/organizations',
    title: say('organizations.title'),
    icon: 'organizations',
    operation: 'organizations.list',
  },
  { path: '/console/connections', title: say('connections.title'), icon: 'connections', operation: 'connections.list' },
  { path: '/console/logs', title: say('logs.title'), icon: 'logs', operation: 'logs.list' },
  {
    path: '/console/administrators',
    title: say('administrators.title'),
    icon: 'administrators',
    operation: 'administrators.list',
  },
]
