// An object of the tenant as others have it: the JSON of the API, a call that makes or changes it, its part of a tenant file, and a resource of
// Terraform. One row a kind; no view has a secret.
import * as z from 'zod'
import { type Json, type JsonObject, objectIn } from '../../../../kernel/json'
import { unwrapped } from '../../../../kernel/schema'
import { MASK } from '../../../../kernel/secret'
import type { ConsoleCall, Reference } from '../../../../management/console-call'
import { hideSecrets, NO_SCOPES } from '../../../../management/operations/member-access'
import { attackProtection } from '../../../../management/resources/attack-protection'
import { clients } from '../../../../management/resources/clients'
import { connections } from '../../../../management/resources/connections'
import { logStreams } from '../../../../management/resources/log-streams'
import { organizationConnections } from '../../../../management/resources/organization-connections'
import { organizationMembers } from '../../../../management/resources/organization-members'
import { organizations } from '../../../../management/resources/organizations'
import { resourceServers } from '../../../../management/resources/resource-servers'
import { roles } from '../../../../management/resources/roles'
import { tenantSettings } from '../../../../management/resources/tenant-settings'
import { users } from '../../../../management/resources/users'
import { say } from '../../../../text/console'
import { bodyOf } from '../form'
import type { Console } from '../page'
import { asTerraform, type Lists, TERRAFORM } from './terraform'

/** How an object is shown. */
export const VIEWS = ['raw', 'call', 'file', 'terraform'] as const
export type View = (typeof VIEWS)[number]

type Part = { member?: string; read: Reference; create?: Reference; update: Reference }

type Kind = {
  /** Several where the object is of several resources; each is a member of it then. */
  parts: readonly Part[]
  /** The page of the object. */
  href(id: string): string
  /** Its section of a tenant file, and the member that names it there; without a member, the section is the object. */
  file?(object: JsonObject): { section: string; by?: string }
  /** Lists of the object that Terraform has as resources of their own. */
  lists?: Readonly<Record<string, Reference>>
}

const inSection = (section: string, by: string) => () => ({ section, by })
const pageOf = (section: string) => (id: string) => `/console/${section}/${encodeURIComponent(id)}`

const KINDS: Readonly<Record<string, Kind>> = {
  clients: { parts: [clients], href: pageOf('applications'), file: inSection('clients', 'name') },
  apis: { parts: [resourceServers], href: pageOf('apis'), file: inSection('resourceServers', 'identifier') },
  connections: {
    parts: [connections],
    href: pageOf('connections'),
    file: ({ strategy }) => ({ section: strategy === 'auth0' ? 'databases' : 'connections', by: 'name' }),
  },
  roles: {
    parts: [roles],
    href: pageOf('roles'),
    file: inSection('roles', 'name'),
    lists: { permissions: roles.permissionsList },
  },
  organizations: {
    parts: [organizations],
    href: pageOf('organizations'),
    file: inSection('organizations', 'name'),
    lists: {
      members: organizationMembers.membersList,
      connections: organizationConnections.enabledConnections.list,
    },
  },
  streams: { parts: [logStreams], href: pageOf('streams'), file: inSection('logStreams', 'name') },
  users: { parts: [users], href: pageOf('users') },
  tenant: { parts: [tenantSettings], href: () => '/console/settings', file: () => ({ section: 'tenant' }) },
  'attack-protection': {
    parts: [
      { member: 'brute_force_protection', ...attackProtection.bruteForce },
      { member: 'suspicious_ip_throttling', ...attackProtection.suspiciousIps },
      { member: 'breached_password_detection', ...attackProtection.breachedPasswords },
      { member: 'bot_detection', ...attackProtection.botDetection },
      { member: 'captcha', ...attackProtection.captcha },
    ],
    href: () => '/console/security',
    file: () => ({ section: 'attackProtection' }),
  },
}

export const viewedKind = (name: string): Kind | undefined => (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined)

/** The views that a kind has. */
export const viewsOf = (name: string): readonly View[] =>
  VIEWS.filter((view) => (view === 'terraform' ? Object.hasOwn(TERRAFORM, name) : view !== 'file' || KINDS[name]?.file))

export type ViewedObject = { object: JsonObject; title: string; href: string }

/** The object as the API has it for a client without any scope that shows a secret. */
export async function viewedObject(name: string, id: string, console: Console): Promise<ViewedObject> {
  const { parts, href } = KINDS[name] as Kind
  const found = await Promise.all(
    parts.map(async ({ member, read }): Promise<JsonObject> => {
      const [param] = /(?<=:)\w+/.exec(read.path) ?? []
      const call = (param === undefined ? {} : { params: { [param]: id } }) as ConsoleCall
      const shown = hideSecrets(objectIn(await console.read(read, call)), read.secrets, NO_SCOPES)
      return member === undefined ? shown : { [member]: shown }
    }),
  )
  const object = Object.assign({}, ...found) as JsonObject
  return { object, title: titleOf(name, object), href: href(id) }
}

function titleOf(name: string, object: JsonObject): string {
  if (name === 'tenant') return say('settings.title')
  if (name === 'attack-protection') return say('security.title')
  const { display_name, email, identifier, user_id } = object
  return String(object.name ?? display_name ?? email ?? identifier ?? user_id ?? '')
}

/** A resource that lacks some would take them away, so a longer list has none. */
const MAX_LISTED = 1000
const AT_ONCE = 100

/** Those that the person may read. */
async function listsOf(name: string, id: string, console: Console): Promise<Lists> {
  const wanted = Object.entries(KINDS[name]?.lists ?? {}).filter(([, operation]) => console.may(operation))
  const found = await Promise.all(
    wanted.map(async ([member, operation]) => [member, await wholeList(operation, id, console)] as const),
  )
  return Object.fromEntries(found)
}

async function wholeList(operation: Reference, id: string, console: Console): Promise<readonly JsonObject[] | null> {
  const rows: JsonObject[] = []
  for (let page = 0; ; page += 1) {
    const query = { page: String(page), per_page: String(AT_ONCE) }
    const found = await console.list(operation, { params: { id }, query } as ConsoleCall)
    if (found.total > MAX_LISTED) return null
    rows.push(...(found.rows as JsonObject[]))
    if (rows.length >= found.total || found.rows.length === 0) return rows
  }
}

type Deps = {
  console: Console
  baseUrl: string
  /** A section of the tenant file as an export writes it. */
  exportSection(section: string): Promise<Json | undefined>
  writeFile(sections: Readonly<Record<string, Json>>): string
}

export async function viewText(view: View, name: string, { object, title }: ViewedObject, id: string, deps: Deps) {
  if (view === 'raw') return `${JSON.stringify(object, null, 2)}\n`
  if (view === 'call') return callsOf(KINDS[name] as Kind, object, id, deps.baseUrl)
  if (view === 'terraform')
    return asTerraform(name as keyof typeof TERRAFORM, object, title, await listsOf(name, id, deps.console))
  const { section = '', by } = KINDS[name]?.file?.(object) ?? {}
  const exported = await deps.exportSection(section)
  if (exported === undefined) return ''
  if (by === undefined) return deps.writeFile({ [section]: exported })
  const named = (Array.isArray(exported) ? exported : []).filter((entry) => objectIn(entry)[by] === object[by])
  const byId = named.filter((entry) => objectIn(entry).client_id === id)
  return deps.writeFile({ [section]: byId.length > 0 ? byId : named })
}

/** What the server gives an object, and what only it says of one. */
const GIVEN = new Set([
  'id',
  'client_id',
  'user_id',
  'tenant',
  'created_at',
  'updated_at',
  'is_system',
  'global',
  'client_secret',
])

function callsOf({ parts }: Kind, object: JsonObject, id: string, baseUrl: string): string {
  return parts
    .flatMap(({ member, create, update }) => {
      const value = member === undefined ? object : objectIn(object[member])
      const change = curl(update, bodyFor(update, value), id, baseUrl)
      return create
        ? [
            `# ${say('views.call.create')}`,
            curl(create, bodyFor(create, value), id, baseUrl),
            `# ${say('views.call.update')}`,
            change,
          ]
        : [change]
    })
    .join('\n')
}

/** The members that the operation takes, as it takes them; none that is masked. */
function bodyFor(operation: Reference, value: JsonObject): JsonObject {
  const schema = bodyOf(operation)
  const whole = schema && unwrapped(schema)
  const names = whole instanceof z.ZodObject ? Object.keys(whole.shape) : Object.keys(value)
  const given = names.filter((name) => !GIVEN.has(name) && value[name] !== undefined && value[name] !== MASK)
  return withoutMasks(Object.fromEntries(given.map((name) => [name, value[name] as Json]))) as JsonObject
}

function withoutMasks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMasks)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== MASK)
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutMasks(each as Json)]))
}

function curl({ method, path }: Reference, body: JsonObject, id: string, baseUrl: string): string {
  const address = `${baseUrl}/api/v2${path.replace(/:\w+/, () => encodeURIComponent(id))}`
  return [
    `curl --request ${method} ${inShell(address)} \\`,
    '  --header "authorization: Bearer $TOKEN" \\',
    "  --header 'content-type: application/json' \\",
    `  --data ${inShell(JSON.stringify(body, null, 2))}`,
    '',
  ].join('\n')
}

/** One word for a shell, whatever it has. */
const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
