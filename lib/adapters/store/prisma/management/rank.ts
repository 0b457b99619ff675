// What people, applications and roles hold of the Management API, on PostgreSQL (lib/management/operations/rank.ts).
import type { JobActor } from '../../../../management/jobs/job'
import {
  type ActedOn,
  type Holdings,
  holdsEverything,
  isBelow,
  type RankPort,
  reachOf,
} from '../../../../management/operations/rank'
import { columns } from '../../columns'
import { type Database, run } from '../../database'
import { type RunStatement, withTransactionCheck } from '../../guarded'
import type { Db } from './transaction'

type Found = { kind: string; id: string }

const FOUND = columns<Found>({ kind: 'text', id: 'text' })

/**
 * The users that names and parts belong to, the clients of grants, the roles of invitations, and what an organization gives. Sessions are
 * looked up one after the other: of several at once, the planner may read those of all users of the tenant.
 */
const RESOLVE = {
  name: 'rank-resolve',
  text: `SELECT 'users' AS kind, s.user_id AS id FROM unnest($2::text[]) AS named (sid),
  LATERAL (SELECT user_id FROM session WHERE tenant_id = $1 AND sid = named.sid OFFSET 0) s
UNION SELECT 'users', user_id FROM token_family WHERE tenant_id = $1 AND id = ANY($3::uuid[]) AND user_id IS NOT NULL
UNION SELECT 'users', user_id FROM authenticator WHERE tenant_id = $1 AND id = ANY($4)
UNION SELECT 'users', user_id FROM device_credential WHERE tenant_id = $1 AND id = ANY($5)
UNION SELECT 'clients', client_id FROM client_grant WHERE tenant_id = $1 AND id = ANY($6)
UNION SELECT 'clients', client_id FROM user_client_grant WHERE tenant_id = $1 AND id = ANY($6)
UNION SELECT 'roles', unnest(roles) FROM organization_invitation WHERE tenant_id = $1 AND (id = ANY($7) OR organization_id = ANY($10))
UNION SELECT 'roles', role_id FROM organization_member_role WHERE tenant_id = $1 AND organization_id = ANY($10)
UNION SELECT 'clients', g.client_id FROM organization_client_grant o JOIN client_grant g ON g.tenant_id = $1 AND g.id = o.client_grant_id
  WHERE o.tenant_id = $1 AND o.organization_id = ANY($10)
UNION SELECT 'users', i.user_id FROM unnest($8::text[], $9::text[]) AS named (connection_id, name)
  JOIN connection c ON c.tenant_id = $1 AND (named.connection_id IS NULL OR c.id = named.connection_id)
  JOIN identity i ON i.tenant_id = $1 AND i.connection_id = c.id AND i.email_key = named.name
UNION SELECT 'users', i.user_id FROM unnest($8::text[], $9::text[]) AS named (connection_id, name)
  JOIN connection c ON c.tenant_id = $1 AND (named.connection_id IS NULL OR c.id = named.connection_id)
  JOIN identity i ON i.tenant_id = $1 AND i.connection_id = c.id AND i.username_key = named.name`,
  row: FOUND,
}

/** `value` is a scope, or the role of an administrator. */
type Held = Found & { isAdministrator: boolean; value: string }

const HELD = columns<Held>({ kind: 'text', id: 'text', isAdministrator: 'boolean', value: 'text' })

const HOLDINGS = {
  name: 'rank-holdings',
  text: `SELECT 'users' AS kind, user_id AS id, true AS "isAdministrator", role AS value
  FROM administrator WHERE tenant_id = $1 AND user_id = ANY($3)
UNION SELECT 'users', held.user_id, false, p.permission FROM user_role held
  JOIN role_permission p ON p.tenant_id = $1 AND p.role_id = held.role_id AND p.audience = $2
  WHERE held.tenant_id = $1 AND held.user_id = ANY($3)
UNION SELECT 'users', held.user_id, false, p.permission FROM organization_member m
  JOIN organization_member_role held ON held.organization_id = m.organization_id AND held.user_id = m.user_id AND held.tenant_id = $1
  JOIN role_permission p ON p.tenant_id = $1 AND p.role_id = held.role_id AND p.audience = $2
  WHERE m.tenant_id = $1 AND m.user_id = ANY($3)
UNION SELECT 'users', user_id, false, permission FROM user_permission WHERE tenant_id = $1 AND user_id = ANY($3) AND audience = $2
UNION SELECT 'clients', client_id, false, unnest(scopes) FROM client_grant
  WHERE tenant_id = $1 AND client_id = ANY($4) AND audience = $2
UNION SELECT 'roles', role_id, false, permission FROM role_permission WHERE tenant_id = $1 AND role_id = ANY($5) AND audience = $2`,
  row: HELD,
}

/** Those who hold anything are few, however many people a connection has. */
const MIGHTY_AT = {
  name: 'rank-mighty-at',
  text: `SELECT DISTINCT 'users' AS kind, i.user_id AS id FROM (
  SELECT user_id FROM administrator WHERE tenant_id = $1
  UNION SELECT held.user_id FROM role_permission p JOIN user_role held ON held.tenant_id = $1 AND held.role_id = p.role_id
    WHERE p.tenant_id = $1 AND p.audience = $2
  UNION SELECT held.user_id FROM role_permission p JOIN organization_member_role held ON held.role_id = p.role_id AND held.tenant_id = $1
    WHERE p.tenant_id = $1 AND p.audience = $2
  UNION SELECT user_id FROM user_permission WHERE tenant_id = $1 AND audience = $2
) mighty JOIN identity i ON i.tenant_id = $1 AND i.user_id = mighty.user_id
WHERE i.connection_id = ANY($3)`,
  row: FOUND,
}

/** In the order in which every change locks users. What gives a user a right waits for it, because it refers to the user. */
const LOCK = 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE'

type Rows = { users: string[]; clients: string[]; roles: string[] }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function rankStore({ pool }: Database, tenantId: string, audience: string): RankPort {
  async function resolve(target: ActedOn): Promise<Rows> {
    const {
      sessions = [],
      tokens = [],
      factors = [],
      devices = [],
      grants = [],
      invitations = [],
      organizations = [],
      accounts = [],
    } = target
    const byOtherNames = [
      sessions,
      tokens.filter((id) => UUID.test(id)),
      factors,
      devices,
      grants,
      invitations,
      accounts.map(({ connectionId }) => connectionId),
      accounts.map(({ name }) => name),
      organizations,
    ]
    const found = byOtherNames.some((names) => names.length > 0)
      ? await run(pool, RESOLVE, [tenantId, ...byOtherNames])
      : []
    const at = target.connections?.length ? await run(pool, MIGHTY_AT, [tenantId, audience, target.connections]) : []
    const of = (kind: keyof Rows): string[] => [
      ...new Set([
        ...(target[kind] ?? []),
        ...[...found, ...at].filter((each) => each.kind === kind).map(({ id }) => id),
      ]),
    ]
    return { users: of('users').sort(), clients: of('clients'), roles: of('roles') }
  }

  const valuesFor = ({ users, clients, roles }: Rows) => [tenantId, audience, users, clients, roles]
  const read = (rows: Rows): Promise<Held[]> => run(pool, HOLDINGS, valuesFor(rows))

  return {
    audience,
    async guard(target, judge, work) {
      const rows = await resolve(target)
      judge(together(await read(rows)))
      const locked = async (ask: RunStatement): Promise<void> => {
        if (rows.users.length > 0) await ask(LOCK, [tenantId, rows.users])
        judge(together((await ask(HOLDINGS.text, valuesFor(rows))) as Held[]))
      }
      return withTransactionCheck(locked, work)
    },
    async holdingsOf(kind, ids) {
      const held = await read({ users: [], clients: [], roles: [], [kind]: ids })
      const owners = [...new Set(held.map(({ id }) => id))]
      return new Map(owners.map((owner) => [owner, together(held.filter(({ id }) => id === owner))]))
    },
  }
}

/** Of these users and roles, those that are above who made a job. */
export async function aboveMaker(
  tx: Db,
  tenantId: string,
  { users, roles }: { users: readonly string[]; roles: readonly string[] },
  { audience, scopes }: JobActor,
): Promise<ReadonlySet<string>> {
  const actor = { scopes: new Set(scopes) }
  if ((users.length === 0 && roles.length === 0) || holdsEverything(actor)) return new Set()
  const held = await tx.$queryRawUnsafe<Held[]>(HOLDINGS.text, tenantId, audience, users, [], roles)
  const ids = [...new Set(held.map(({ id }) => id))]
  return new Set(ids.filter((id) => !isBelow(reachOf(together(held.filter((each) => each.id === id))), actor)))
}

const together = (held: readonly Held[]): Holdings => ({
  scopes: held.filter(({ isAdministrator }) => !isAdministrator).map(({ value }) => value),
  administrators: held.filter(({ isAdministrator }) => isAdministrator).map(({ value }) => value),
})
