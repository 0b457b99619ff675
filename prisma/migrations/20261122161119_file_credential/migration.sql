-- AlterTable
ALTER TABLE "identity" ADD COLUMN     "file_credential" BYTEA;

-- The release before reads it where it was; applying a tenant file by this one removes it there.
UPDATE "identity" SET "file_credential" = decode(translate("profile"->>'tenant_file_credential', '-_', '+/') || '=', 'base64')
WHERE "profile" ? 'tenant_file_credential';
