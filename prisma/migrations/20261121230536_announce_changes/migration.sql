-- Whoever changes configuration, in whatever way, every instance hears what kind of it when that is committed
-- (lib/store/announcements.ts). An engine without NOTIFY goes on without: its instances read every second.
CREATE FUNCTION "latchkey_announce"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('latchkey_changed', TG_ARGV[0]);
  RETURN NULL;
EXCEPTION WHEN undefined_function OR feature_not_supported THEN
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "tenant"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('tenant');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "signing_key"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('tenant');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "client"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('client');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "api"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('api');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "client_grant"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('client_grant');

CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "connection"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('connection');
