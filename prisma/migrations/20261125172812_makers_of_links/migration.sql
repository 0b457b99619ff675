-- AlterTable
ALTER TABLE "organization_invitation" ADD COLUMN     "maker" JSONB;

-- AlterTable
ALTER TABLE "ticket" ADD COLUMN     "maker" JSONB;

-- Whether the maker of a link still holds the right to make it (threat-model.md MG54, BF26; lib/management/maker.ts). A link without a maker is
-- the operator's, or one that a person asked for.
CREATE FUNCTION "latchkey_maker_stands"(of_tenant TEXT, maker JSONB) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN maker ? 'administrator' THEN EXISTS (
      SELECT 1 FROM "administrator" a JOIN "user" u ON u."tenant_id" = a."tenant_id" AND u."id" = a."user_id"
      WHERE a."tenant_id" = of_tenant AND a."user_id" = maker ->> 'administrator' AND maker -> 'roles' ? a."role" AND NOT u."blocked"
    )
    WHEN maker ? 'client' THEN EXISTS (
      SELECT 1 FROM "client_grant" g JOIN "client" c ON c."tenant_id" = g."tenant_id" AND c."client_id" = g."client_id"
      WHERE g."tenant_id" = of_tenant AND g."client_id" = maker ->> 'client' AND g."audience" = maker ->> 'audience'
        AND maker ->> 'scope' = ANY (g."scopes")
    )
    WHEN maker ? 'user' THEN EXISTS (
      SELECT 1 FROM "user" u WHERE u."tenant_id" = of_tenant AND u."id" = maker ->> 'user' AND NOT u."blocked" AND (
        EXISTS (
          SELECT 1 FROM "user_permission" p WHERE p."tenant_id" = of_tenant AND p."user_id" = u."id"
            AND p."audience" = maker ->> 'audience' AND p."permission" = maker ->> 'scope'
        ) OR EXISTS (
          SELECT 1 FROM "user_role" h JOIN "role_permission" p ON p."tenant_id" = h."tenant_id" AND p."role_id" = h."role_id"
          WHERE h."tenant_id" = of_tenant AND h."user_id" = u."id" AND p."audience" = maker ->> 'audience' AND p."permission" = maker ->> 'scope'
        ) OR EXISTS (
          SELECT 1 FROM "organization_member_role" h JOIN "role_permission" p ON p."tenant_id" = h."tenant_id" AND p."role_id" = h."role_id"
          WHERE h."tenant_id" = of_tenant AND h."user_id" = u."id" AND p."audience" = maker ->> 'audience' AND p."permission" = maker ->> 'scope'
        )
      )
    )
    WHEN maker ? 'member' THEN EXISTS (
      SELECT 1 FROM "organization_member_role" h JOIN "role" r ON r."tenant_id" = h."tenant_id" AND r."id" = h."role_id"
      JOIN "user" u ON u."tenant_id" = h."tenant_id" AND u."id" = h."user_id"
      WHERE h."tenant_id" = of_tenant AND h."organization_id" = maker ->> 'organization' AND h."user_id" = maker ->> 'member'
        AND r."administers_organization" AND NOT u."blocked"
    )
    ELSE false
  END
$$;

-- Links that were made for a user before the user became an administrator, or another kind of one, open nothing: their makers may have no
-- rank over an administrator.
CREATE FUNCTION "latchkey_new_rank_ends_tickets"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "user" SET "recovery_epoch" = nextval('user_recovery_epoch_seq') WHERE "tenant_id" = NEW."tenant_id" AND "id" = NEW."user_id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "rank_ends_tickets_of_new" AFTER INSERT ON "administrator"
FOR EACH ROW EXECUTE FUNCTION "latchkey_new_rank_ends_tickets"();

CREATE TRIGGER "rank_ends_tickets_of_changed" AFTER UPDATE OF "role" ON "administrator"
FOR EACH ROW WHEN (NEW."role" <> OLD."role") EXECUTE FUNCTION "latchkey_new_rank_ends_tickets"();
