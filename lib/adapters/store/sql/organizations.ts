// Organizations as logins use them, on PostgreSQL. An organization with its connections is read on every request for it, so it
// is cached like the rest of the configuration (cache.ts). Members are not: removing one takes effect at once.

import {
  type Choice,
  MAX_CHOICES,
  type Organization,
  type OrganizationConnection,
  type OrganizationInvitation,
  type OrganizationPort,
  organizationSettings,
  type WaitingInvitation,
} from '../../../data/organizations/organization'
import type { Clock } from '../../../kernel/clock'
import { type Announcements, UNANNOUNCED } from '../announcements'
import { readThrough } from '../cache'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

/** As many as a page shows. */
const MAX_WAITING = 20

type OrganizationRow = {
  id: string
  name: string
  settings: unknown
  connections: Record<string, OrganizationConnection> | null
}

const FIND = {
  name: 'organization-find',
  text: `SELECT o.id, o.name, o.settings,
  (SELECT json_object_agg(c.connection_id, json_build_object('assignMembership', c.assign_membership,
      'showAsButton', c.show_as_button, 'signupEnabled', c.signup_enabled))
    FROM organization_connection c WHERE c.organization_id = o.id AND c.tenant_id = o.tenant_id AND c.enabled
  ) AS connections
FROM organization o WHERE o.id = $2 AND o.tenant_id = $1`,
  row: columns<OrganizationRow>({ id: 'text', name: 'text', settings: 'json', connections: 'json?' }),
}

const ID_OF_NAME = {
  name: 'organization-of-name',
  text: 'SELECT id FROM organization WHERE tenant_id = $1 AND name = $2',
  row: columns<{ id: string }>({ id: 'text' }),
}

const ID_OF_DOMAIN = {
  name: 'organization-of-domain',
  text: `SELECT organization_id AS id FROM organization_domain
WHERE tenant_id = $1 AND domain = $2 AND verified_at IS NOT NULL AND discovers`,
  row: columns<{ id: string }>({ id: 'text' }),
}

const IS_MEMBER = {
  name: 'organization-is-member',
  text: 'SELECT 1 FROM organization_member WHERE organization_id = $2 AND user_id = $3 AND tenant_id = $1',
}

/** `$2` is an address that is known to be the person's. */
const WAITING = `tenant_id = $1 AND email = $2 AND expires_at > $3
    AND (maker IS NULL OR latchkey_maker_stands(tenant_id, maker))`

const HAS_ANY = {
  name: 'organization-has-any',
  text: `SELECT 1 WHERE EXISTS (SELECT 1 FROM organization_member WHERE tenant_id = $1 AND user_id = $4)
  OR EXISTS (SELECT 1 FROM organization_invitation WHERE ${WAITING})`,
}

const WAITING_INVITATIONS = {
  name: 'organization-waiting-invitations',
  text: `SELECT i.id, coalesce(o.settings->>'display_name', o.name) AS organization, i.inviter_name AS inviter,
  i.sealed_link AS "sealedLink", i.expires_at AS "expiresAt"
FROM (SELECT * FROM organization_invitation WHERE ${WAITING} ORDER BY created_at DESC, id LIMIT $4) i
JOIN organization o ON o.id = i.organization_id AND o.tenant_id = i.tenant_id`,
  row: columns<WaitingInvitation>({
    id: 'text',
    organization: 'text',
    inviter: 'text',
    sealedLink: 'bytes',
    expiresAt: 'date',
  }),
}

const ADMINISTERED = {
  name: 'organization-administered',
  text: `SELECT DISTINCT m.organization_id AS id FROM organization_member m
JOIN organization_member_role h ON h.organization_id = m.organization_id AND h.user_id = m.user_id AND h.tenant_id = m.tenant_id
JOIN role r ON r.tenant_id = h.tenant_id AND r.id = h.role_id AND r.administers_organization
WHERE m.tenant_id = $1 AND m.user_id = $2`,
  row: columns<{ id: string }>({ id: 'text' }),
}

const CHOICES = {
  name: 'organization-choices',
  text: `SELECT o.id, coalesce(o.settings->>'display_name', o.name) AS name,
  o.settings->'branding'->>'logo_url' AS "logoUrl", count(*) OVER ()::int AS total
FROM organization_member m JOIN organization o ON o.id = m.organization_id AND o.tenant_id = m.tenant_id
WHERE m.tenant_id = $1 AND m.user_id = $2
  AND ($3 = '' OR position(lower($3) IN lower(coalesce(o.settings->>'display_name', ''))) > 0
    OR position(lower($3) IN o.name) > 0)
ORDER BY lower(coalesce(o.settings->>'display_name', o.name)), o.id LIMIT $4`,
  row: columns<ChoiceRow>({ id: 'text', name: 'text', logoUrl: 'text?', total: 'number' }),
}

type ChoiceRow = { id: string; name: string; logoUrl: string | null; total: number }

const COUNT = {
  name: 'organization-count',
  text: 'SELECT count(*)::int AS total FROM organization_member WHERE tenant_id = $1 AND user_id = $2',
  row: columns<{ total: number }>({ total: 'number' }),
}

/** Both rows that it refers to are locked against deletion while it is written. */
const JOIN = {
  name: 'organization-join',
  text: `WITH o AS (
  SELECT id FROM organization WHERE id = $2 AND tenant_id = $1 FOR KEY SHARE
), u AS (
  SELECT id FROM "user" WHERE tenant_id = $1 AND id = $3 FOR KEY SHARE
)
INSERT INTO organization_member (organization_id, user_id, tenant_id) SELECT o.id, u.id, $1 FROM o, u
ON CONFLICT DO NOTHING`,
}

const INVITATION = {
  name: 'organization-invitation',
  text: `SELECT id, organization_id AS "organizationId", client_id AS "clientId", connection_id AS "connectionId", email,
  inviter_name AS inviter, latchkey_gives_power(tenant_id, roles) AS "givesPower"
FROM organization_invitation WHERE tenant_id = $1 AND ticket_digest = $2 AND expires_at > $3
    AND (maker IS NULL OR latchkey_maker_stands(tenant_id, maker))`,
  row: columns<OrganizationInvitation>({
    id: 'text',
    organizationId: 'text',
    clientId: 'text',
    connectionId: 'text?',
    email: 'text',
    inviter: 'text',
    givesPower: 'boolean',
  }),
}

/**
 * One statement: of several callers one deletes the invitation, and only with it the user becomes a member. No first proof of the
 * address (first-proof.ts) is made of it: who signs in anew to an account with this address, and no session, accepts it for an
 * address that is not verified (lib/login/flow/organization.ts).
 */
const ACCEPT = {
  name: 'organization-accept',
  text: `WITH i AS (
  DELETE FROM organization_invitation i USING "user" o
  WHERE i.tenant_id = $1 AND i.ticket_digest = $2 AND i.expires_at > $4
    AND (i.maker IS NULL OR latchkey_maker_stands(i.tenant_id, i.maker))
    AND o.tenant_id = $1 AND o.id = $3 AND lower(o.email) = lower(i.email)
    AND (o.email_verified OR NOT latchkey_gives_power(i.tenant_id, i.roles))
  RETURNING i.organization_id, i.roles, i.user_metadata, i.app_metadata
), m AS (
  INSERT INTO organization_member (organization_id, user_id, tenant_id) SELECT organization_id, $3, $1 FROM i
  ON CONFLICT DO NOTHING
), r AS (
  INSERT INTO organization_member_role (organization_id, user_id, role_id, tenant_id)
  SELECT i.organization_id, $3, role.id, $1 FROM i JOIN role ON role.tenant_id = $1 AND role.id = ANY(i.roles)
  ON CONFLICT DO NOTHING
)
UPDATE "user" u SET email_verified = true, user_metadata = u.user_metadata || i.user_metadata,
  app_metadata = u.app_metadata || i.app_metadata, updated_at = $4
FROM i WHERE u.tenant_id = $1 AND u.id = $3 RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

export const organizationStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): OrganizationPort => {
  const news = announced.of('organization')
  const find = readThrough(
    clock,
    async (id: string) => {
      const [row] = await run(pool, FIND, [tenantId, id])
      return row ? toOrganization(row) : null
    },
    news,
  )
  const idBy = (statement: typeof ID_OF_NAME) =>
    readThrough(clock, async (key: string) => (await run(pool, statement, [tenantId, key]))[0]?.id ?? null, news)
  const idOfName = idBy(ID_OF_NAME)
  const idOfDomain = idBy(ID_OF_DOMAIN)
  const findBy = async (id: string | null) => (id === null ? null : find(id))
  return {
    find,
    findByName: async (name) => findBy(await idOfName(name)),
    findByDomain: async (domain) => findBy(await idOfDomain(domain)),
    async isMember(organizationId, userId) {
      return (await run(pool, IS_MEMBER, [tenantId, organizationId, userId])).length > 0
    },
    async hasAny(userId, address, now) {
      return (await run(pool, HAS_ANY, [tenantId, address, now, userId])).length > 0
    },
    async waiting(address, now) {
      return address === null ? [] : run(pool, WAITING_INVITATIONS, [tenantId, address, now, MAX_WAITING])
    },
    async administered(userId) {
      return (await run(pool, ADMINISTERED, [tenantId, userId])).map(({ id }) => id)
    },
    async choices(userId, search) {
      const rows = await run(pool, CHOICES, [tenantId, userId, search, MAX_CHOICES])
      const counted = search !== '' || rows.length === MAX_CHOICES ? await run(pool, COUNT, [tenantId, userId]) : rows
      return { found: rows.map(toChoice), total: counted[0]?.total ?? 0 }
    },
    async join(organizationId, userId) {
      await run(pool, JOIN, [tenantId, organizationId, userId])
    },
    async invitation(digest, now) {
      return (await run(pool, INVITATION, [tenantId, digest, now]))[0] ?? null
    },
    async accept(digest, userId, now) {
      const [row] = await run(pool, ACCEPT, [tenantId, digest, userId, now])
      return row ? presentUser(row) : null
    },
  }
}

const toOrganization = ({ id, name, settings, connections }: OrganizationRow): Organization => ({
  id,
  name,
  settings: organizationSettings.parse(settings),
  connections: connections ?? {},
})

const toChoice = ({ id, name, logoUrl }: ChoiceRow): Choice => ({ id, name, ...(logoUrl === null ? {} : { logoUrl }) })
