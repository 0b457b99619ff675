-- AlterTable
ALTER TABLE "client" ADD COLUMN     "secret_changed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "secret_changed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "message_provider" ADD COLUMN     "secret_changed_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "client_secret_changed_at_tenant_id_idx" ON "client"("secret_changed_at", "tenant_id");

-- CreateIndex
CREATE INDEX "connection_secret_changed_at_tenant_id_idx" ON "connection"("secret_changed_at", "tenant_id");

-- A secret is no younger than the last change of its row.
UPDATE "client" SET "secret_changed_at" = "updated_at" WHERE "secret_digest" IS NOT NULL;
UPDATE "connection" SET "secret_changed_at" = "updated_at"
  WHERE "settings"->'sealed' ?| ARRAY['client_secret', 'app_secret'];
UPDATE "message_provider" SET "secret_changed_at" = "updated_at";

-- Whatever changes a secret, the time is noted: rotations, registrations, tenant files and the commands.
CREATE FUNCTION "latchkey_note_client_secret"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."secret_digest" IS NULL THEN NEW."secret_changed_at" := NULL;
  ELSIF TG_OP = 'INSERT' OR NEW."secret_digest" IS DISTINCT FROM OLD."secret_digest" THEN
    NEW."secret_changed_at" := NEW."updated_at";
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "note_secret" BEFORE INSERT OR UPDATE ON "client"
  FOR EACH ROW EXECUTE FUNCTION "latchkey_note_client_secret"();

CREATE FUNCTION "latchkey_note_connection_secret"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  secrets JSONB := jsonb_build_array(NEW."settings"->'sealed'->'client_secret', NEW."settings"->'sealed'->'app_secret');
BEGIN
  IF secrets = '[null, null]' THEN NEW."secret_changed_at" := NULL;
  ELSIF TG_OP = 'INSERT' OR secrets IS DISTINCT FROM
    jsonb_build_array(OLD."settings"->'sealed'->'client_secret', OLD."settings"->'sealed'->'app_secret') THEN
    NEW."secret_changed_at" := NEW."updated_at";
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "note_secret" BEFORE INSERT OR UPDATE ON "connection"
  FOR EACH ROW EXECUTE FUNCTION "latchkey_note_connection_secret"();

CREATE FUNCTION "latchkey_note_provider_secret"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW."sealed_credentials" IS DISTINCT FROM OLD."sealed_credentials" THEN
    NEW."secret_changed_at" := NEW."updated_at";
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "note_secret" BEFORE INSERT OR UPDATE ON "message_provider"
  FOR EACH ROW EXECUTE FUNCTION "latchkey_note_provider_secret"();
