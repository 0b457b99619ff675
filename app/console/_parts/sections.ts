// The sections of the console, in the order of the navigation: one line each. A section is a folder below app/console with a page.tsx;
// people see it whose role may call the operation that its page lists (docs/console.md).

import type { Reference } from '../../../lib/management/console-call'
import { addressBlocks } from '../../../lib/management/resources/address-blocks'
import { administrators } from '../../../lib/management/resources/administrators'
import { clients } from '../../../lib/management/resources/clients'
import { connections } from '../../../lib/management/resources/connections'
import { emailProvider } from '../../../lib/management/resources/email-provider'
import { logStreams } from '../../../lib/management/resources/log-streams'
import { logins } from '../../../lib/management/resources/logins'
import { logs } from '../../../lib/management/resources/logs'
import { organizations } from '../../../lib/management/resources/organizations'
import { resourceServers } from '../../../lib/management/resources/resource-servers'
import { roles } from '../../../lib/management/resources/roles'
import { tenantSettings } from '../../../lib/management/resources/tenant-settings'
import { users } from '../../../lib/management/resources/users'
import { type ConsoleKey, say } from '../../../lib/text/console'

export type ConsoleSection = {
  path: string
  title: string
  /** The path of an SVG in a box of 24 by 24. */
  icon: string
  operation: Reference | null
  /** Behind `g`, it leads there. */
  key?: string
  /** What its page asks of the operation, where some roles may not. */
  member?: string
}

const KEYS: Readonly<Record<string, string>> = {
  applications: 'a',
  apis: 'p',
  users: 'u',
  roles: 'r',
  organizations: 'o',
  connections: 'c',
  security: 's',
  logs: 'l',
  logins: 'i',
  streams: 't',
  providers: 'm',
  settings: 'e',
  administrators: 'd',
}

/** Its title is a text. */
type Name = { [Key in ConsoleKey]: Key extends `${infer Name}.title` ? Name : never }[ConsoleKey]

const section = (name: Name, operation: Reference, icon: string, member?: string): ConsoleSection => ({
  path: `/console/${name}`,
  title: say(`${name}.title`),
  icon,
  operation,
  ...(KEYS[name] !== undefined && { key: KEYS[name] }),
  ...(member !== undefined && { member }),
})

export const SECTIONS: readonly ConsoleSection[] = [
  {
    path: '/console',
    title: say('home.title'),
    icon: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1Z',
    operation: null,
    key: 'h',
  },
  section('applications', clients.list, 'M4 5h7v6H4Zm9 0h7v6h-7ZM4 13h7v6H4Zm9 0h7v6h-7Z', 'is_global'),
  section('apis', resourceServers.list, 'M8 7 3 12l5 5m8-10 5 5-5 5M13.5 5l-3 14'),
  section('users', users.list, 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8c.6-3.6 3.8-5.5 8-5.5s7.400 1.900 8 5.500'),
  section('roles', roles.list, 'M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6Z'),
  section('organizations', organizations.list, 'M4 20V7l8-3v16m0-11 8 2.500V20M3 20h18M7.500 10v.01m0 4v.01M16 14v.01'),
  section(
    'connections',
    connections.list,
    'M9 15 15 9M10.500 6.500 13 4a4.500 4.500 0 0 1 6.500 6.500L17 13m-10-2-2.500 2.500A4.500 4.500 0 0 0 11 20l2.500-2.500',
  ),
  section('security', addressBlocks.blockedIpsRead, 'M6 11h12v9H6Zm2.500 0V8a3.500 3.500 0 0 1 7 0v3M12 14.500v2'),
  section('logins', logins.list, 'M4 6h7M4 12h10M4 18h7m4-12 2 2 4-4m-6 12 5 5m0-5-5 5'),
  section('logs', logs.list, 'M5 6h14M5 12h14M5 18h9'),
  section('streams', logStreams.list, 'M4 8c3-3 5 3 8 0s5 3 8 0M4 15c3-3 5 3 8 0s5 3 8 0'),
  section('providers', emailProvider.read, 'M4 6h16v12H4Zm0 1 8 6.500L20 7'),
  section('settings', tenantSettings.read, 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4'),
  section('administrators', administrators.list, 'M14.500 9.500a4 4 0 1 1-1.200-2.800M12 12l7 7m-2.500-2.500 2-2'),
]
