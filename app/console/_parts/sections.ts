// The sections of the console, in the order of the navigation: one line each. A section is a folder below app/console with a page.tsx;
// people see it whose role may call the operation that its page lists (docs/console.md).
import { say } from '../../../lib/text/console'
import type { IconName } from './icon'

export type Section = {
  path: string
  title: string
  icon: IconName
  operation: string | null
  /** What its page asks of the operation, where some roles may not. */
  member?: string
}

type Name =
  | 'applications'
  | 'apis'
  | 'users'
  | 'roles'
  | 'organizations'
  | 'connections'
  | 'security'
  | 'logs'
  | 'streams'
  | 'providers'
  | 'settings'
  | 'administrators'

const section = (name: Name, operation: string, member?: string): Section => ({
  path: `/console/${name}`,
  title: say(`${name}.title`),
  icon: name,
  operation,
  ...(member !== undefined && { member }),
})

export const SECTIONS: readonly Section[] = [
  { path: '/console', title: say('home.title'), icon: 'home', operation: null },
  section('applications', 'clients.list', 'is_global'),
  section('apis', 'resource_servers.list'),
  section('users', 'users.list'),
  section('roles', 'roles.list'),
  section('organizations', 'organizations.list'),
  section('connections', 'connections.list'),
  section('security', 'anomaly.blocked_ips.read'),
  section('logs', 'logs.list'),
  section('streams', 'log_streams.list'),
  section('providers', 'email_provider.read'),
  section('settings', 'tenant_settings.read'),
  section('administrators', 'administrators.list'),
]
