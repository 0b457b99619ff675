-- AlterTable
ALTER TABLE "client_grant" ADD COLUMN     "allow_any_organization" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "organization_usage" TEXT NOT NULL DEFAULT 'deny';

-- Tokens of client credentials read them like the rest of the configuration (20261121230536_announce_changes).
CREATE TRIGGER "announce" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "organization_client_grant"
FOR EACH STATEMENT EXECUTE FUNCTION "latchkey_announce"('client_grant');

-- What was kept without an effect now has one; a value that has no meaning stays kept.
UPDATE "client_grant" SET organization_usage = kept->>'organization_usage', kept = kept - 'organization_usage'
WHERE kept->>'organization_usage' IN ('deny', 'allow', 'require');

UPDATE "client_grant" SET
  allow_any_organization = (kept->>'allow_any_organization')::boolean, kept = kept - 'allow_any_organization'
WHERE jsonb_typeof(kept->'allow_any_organization') = 'boolean';

UPDATE "client" SET
  settings = settings || jsonb_build_object('default_organization', kept->'default_organization'),
  kept = kept - 'default_organization'
WHERE jsonb_typeof(kept->'default_organization'->'organization_id') = 'string'
  AND char_length(kept->'default_organization'->>'organization_id') <= 100
  AND kept->'default_organization'->'flows' IN ('[]', '["client_credentials"]')
  AND (SELECT count(*) FROM jsonb_object_keys(kept->'default_organization')) = 2;
