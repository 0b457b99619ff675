-- Searches of the Management API find users by these (lib/store/prisma/management/user-search.ts).
-- Prefixes need text_pattern_ops, whatever the collation of the database is.
CREATE INDEX "user_lower_email_idx" ON "user"(lower("email") text_pattern_ops, "tenant_id") WHERE "email" IS NOT NULL;
CREATE INDEX "user_lower_name_idx" ON "user"(lower("name") text_pattern_ops, "tenant_id") WHERE "name" IS NOT NULL;
CREATE INDEX "user_lower_nickname_idx" ON "user"(lower("nickname") text_pattern_ops, "tenant_id") WHERE "nickname" IS NOT NULL;
CREATE INDEX "user_lower_given_name_idx" ON "user"(lower("given_name") text_pattern_ops, "tenant_id") WHERE "given_name" IS NOT NULL;
CREATE INDEX "user_lower_family_name_idx" ON "user"(lower("family_name") text_pattern_ops, "tenant_id") WHERE "family_name" IS NOT NULL;
CREATE INDEX "user_lower_username_idx" ON "user"(lower("username") text_pattern_ops, "tenant_id") WHERE "username" IS NOT NULL;
CREATE INDEX "user_phone_number_idx" ON "user"("phone_number" text_pattern_ops, "tenant_id") WHERE "phone_number" IS NOT NULL;
CREATE INDEX "user_created_at_idx" ON "user"("created_at", "tenant_id");
CREATE INDEX "user_user_metadata_idx" ON "user" USING gin ("user_metadata" jsonb_path_ops) WHERE "user_metadata" <> '{}';
CREATE INDEX "user_app_metadata_idx" ON "user" USING gin ("app_metadata" jsonb_path_ops) WHERE "app_metadata" <> '{}';

-- The day of the last login. An index on the moment would make PostgreSQL write all indexes of the user at each login; the day
-- changes once (heap-only tuples compare the values of indexed columns).
ALTER TABLE "user" ADD COLUMN "last_login_day" DATE GENERATED ALWAYS AS (("last_login_at" AT TIME ZONE 'UTC')::date) STORED;
CREATE INDEX "user_last_login_day_idx" ON "user"("last_login_day", "tenant_id") WHERE "last_login_day" IS NOT NULL;
