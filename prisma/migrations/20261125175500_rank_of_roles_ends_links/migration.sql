-- Power over the tenant: permissions of the Management API. It is built in, so it is the API of a permission that no registered API has.
CREATE FUNCTION "latchkey_gives_power"(of_tenant TEXT, role_ids TEXT[]) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM "role_permission" p WHERE p."tenant_id" = of_tenant AND p."role_id" = ANY (role_ids)
      AND NOT EXISTS (SELECT 1 FROM "api" a WHERE a."tenant_id" = of_tenant AND a."identifier" = p."audience")
  )
$$;

-- As with the role of an administrator (20261125172812): links that were made for a user before the user had such a permission open nothing,
-- by whichever way the user gets it. Users are locked in the order in which every change locks them.
CREATE FUNCTION "latchkey_new_permission_ends_tickets"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  holders TEXT[];
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'user_permission', 'role_permission' THEN
      IF EXISTS (SELECT 1 FROM "api" WHERE "tenant_id" = NEW."tenant_id" AND "identifier" = NEW."audience") THEN
        RETURN NULL;
      END IF;
    ELSE
      IF NOT "latchkey_gives_power"(NEW."tenant_id", ARRAY[NEW."role_id"]) THEN
        RETURN NULL;
      END IF;
  END CASE;
  IF TG_TABLE_NAME = 'role_permission' THEN
    holders := ARRAY(
      SELECT "user_id" FROM "user_role" WHERE "tenant_id" = NEW."tenant_id" AND "role_id" = NEW."role_id"
      UNION SELECT "user_id" FROM "organization_member_role" WHERE "tenant_id" = NEW."tenant_id" AND "role_id" = NEW."role_id"
    );
  ELSE
    holders := ARRAY[NEW."user_id"];
  END IF;
  PERFORM 1 FROM "user" WHERE "tenant_id" = NEW."tenant_id" AND "id" = ANY (holders) ORDER BY "id" FOR NO KEY UPDATE;
  UPDATE "user" SET "recovery_epoch" = nextval('user_recovery_epoch_seq') WHERE "tenant_id" = NEW."tenant_id" AND "id" = ANY (holders);
  RETURN NULL;
END
$$;

CREATE TRIGGER "rank_ends_tickets_of_permission" AFTER INSERT ON "user_permission"
FOR EACH ROW EXECUTE FUNCTION "latchkey_new_permission_ends_tickets"();

CREATE TRIGGER "rank_ends_tickets_of_role" AFTER INSERT ON "user_role"
FOR EACH ROW EXECUTE FUNCTION "latchkey_new_permission_ends_tickets"();

CREATE TRIGGER "rank_ends_tickets_of_member" AFTER INSERT ON "organization_member_role"
FOR EACH ROW EXECUTE FUNCTION "latchkey_new_permission_ends_tickets"();

CREATE TRIGGER "rank_ends_tickets_of_holders" AFTER INSERT ON "role_permission"
FOR EACH ROW EXECUTE FUNCTION "latchkey_new_permission_ends_tickets"();
