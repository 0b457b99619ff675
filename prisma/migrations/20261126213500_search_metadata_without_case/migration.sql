-- Searches of the Management API compare metadata without regard to case (lib/store/prisma/management/search-conditions.ts). These
-- indexes take the place of those that kept it. A release before this one still answers such searches, by reading the tenant's users.
CREATE INDEX "user_folded_user_metadata_idx" ON "user" USING gin ((lower("user_metadata"::text)::jsonb) jsonb_path_ops) WHERE "user_metadata" <> '{}';
CREATE INDEX "user_folded_app_metadata_idx" ON "user" USING gin ((lower("app_metadata"::text)::jsonb) jsonb_path_ops) WHERE "app_metadata" <> '{}';
DROP INDEX "user_user_metadata_idx";
DROP INDEX "user_app_metadata_idx";
