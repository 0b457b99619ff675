-- "An owner of the console who can sign in remains": held here, in the transaction of every change that can break it, whichever door or
-- statement it comes from (threat-model.md MG58, ADR 47). An owner can sign in if not blocked, with no deletion planned, and with an
-- account of a connection that the console may use. A tenant that has no such owner loses nothing.

-- As isEnabledFor in lib/connections/connection.ts says it of the console.
CREATE FUNCTION "latchkey_opens_console"(settings JSONB) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof(settings -> 'enabled_clients')
    WHEN 'array' THEN jsonb_array_length(settings -> 'enabled_clients') > 0 OR coalesce(settings -> 'is_domain_connection' = 'true', false)
    ELSE true
  END
$$;

-- Whether an owner can sign in without this user, this connection, or this one account at the connection.
CREATE FUNCTION "latchkey_has_owner"(of_tenant TEXT, without_user TEXT, without_connection TEXT, without_account TEXT) RETURNS BOOLEAN
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM "administrator" a
    JOIN "user" u ON u."tenant_id" = a."tenant_id" AND u."id" = a."user_id"
    JOIN "identity" i ON i."tenant_id" = a."tenant_id" AND i."user_id" = a."user_id"
    JOIN "connection" c ON c."tenant_id" = a."tenant_id" AND c."id" = i."connection_id"
    WHERE a."tenant_id" = of_tenant AND a."role" = 'owner' AND NOT u."blocked" AND u."delete_at" IS NULL
      AND "latchkey_opens_console"(c."settings")
      AND (without_user IS NULL OR a."user_id" <> without_user)
      AND (without_connection IS NULL OR i."connection_id" <> without_connection
        OR (without_account IS NOT NULL AND i."provider_user_id" <> without_account))
  )
$$;

-- Changes of this kind follow each other, so that each sees what the one before left. Commands of the operator set latchkey.operator.
CREATE FUNCTION "latchkey_keep_owner"(of_tenant TEXT, without_user TEXT, without_connection TEXT, without_account TEXT) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('latchkey.operator', true), '') = 'on' OR NOT EXISTS (SELECT 1 FROM "tenant" WHERE "id" = of_tenant) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('console administrators ' || of_tenant, 0));
  IF "latchkey_has_owner"(of_tenant, NULL, NULL, NULL)
    AND NOT "latchkey_has_owner"(of_tenant, without_user, without_connection, without_account) THEN
    RAISE EXCEPTION 'latchkey: the last owner who can sign in' USING ERRCODE = 'LK001';
  END IF;
END
$$;

CREATE FUNCTION "latchkey_keep_owner_of_user"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "administrator" WHERE "tenant_id" = OLD."tenant_id" AND "user_id" = OLD."id" AND "role" = 'owner') THEN
    PERFORM "latchkey_keep_owner"(OLD."tenant_id", OLD."id", NULL, NULL);
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER "keep_owner_deleted" BEFORE DELETE ON "user"
FOR EACH ROW EXECUTE FUNCTION "latchkey_keep_owner_of_user"();

CREATE TRIGGER "keep_owner_blocked" BEFORE UPDATE OF "blocked", "delete_at" ON "user"
FOR EACH ROW WHEN ((NEW."blocked" AND NOT OLD."blocked") OR (NEW."delete_at" IS NOT NULL AND OLD."delete_at" IS NULL))
EXECUTE FUNCTION "latchkey_keep_owner_of_user"();

-- With a user that is deleted, the row of the administrator goes after that of the user, which was judged.
CREATE FUNCTION "latchkey_keep_owner_of_role"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "latchkey_keep_owner"(OLD."tenant_id", OLD."user_id", NULL, NULL);
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER "keep_owner_removed" BEFORE DELETE ON "administrator"
FOR EACH ROW WHEN (OLD."role" = 'owner') EXECUTE FUNCTION "latchkey_keep_owner_of_role"();

CREATE TRIGGER "keep_owner_changed" BEFORE UPDATE OF "role" ON "administrator"
FOR EACH ROW WHEN (OLD."role" = 'owner' AND NEW."role" <> 'owner') EXECUTE FUNCTION "latchkey_keep_owner_of_role"();

CREATE FUNCTION "latchkey_keep_owner_of_account"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "administrator" WHERE "tenant_id" = OLD."tenant_id" AND "user_id" = OLD."user_id" AND "role" = 'owner') THEN
    PERFORM "latchkey_keep_owner"(OLD."tenant_id", NULL, OLD."connection_id", OLD."provider_user_id");
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER "keep_owner_unlinked" BEFORE DELETE ON "identity"
FOR EACH ROW EXECUTE FUNCTION "latchkey_keep_owner_of_account"();

CREATE TRIGGER "keep_owner_moved" BEFORE UPDATE OF "user_id" ON "identity"
FOR EACH ROW WHEN (NEW."user_id" <> OLD."user_id") EXECUTE FUNCTION "latchkey_keep_owner_of_account"();

CREATE FUNCTION "latchkey_keep_owner_of_connection"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "latchkey_keep_owner"(OLD."tenant_id", NULL, OLD."id", NULL);
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER "keep_owner_disconnected" BEFORE DELETE ON "connection"
FOR EACH ROW EXECUTE FUNCTION "latchkey_keep_owner_of_connection"();

CREATE TRIGGER "keep_owner_disabled" BEFORE UPDATE OF "settings" ON "connection"
FOR EACH ROW WHEN ("latchkey_opens_console"(OLD."settings") AND NOT "latchkey_opens_console"(NEW."settings"))
EXECUTE FUNCTION "latchkey_keep_owner_of_connection"();
