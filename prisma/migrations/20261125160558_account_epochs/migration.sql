-- A sequence instead of BIGSERIAL: the rows that exist keep the constant 0, so the table is not written anew.
CREATE SEQUENCE "user_recovery_epoch_seq" AS BIGINT;
ALTER TABLE "user" ADD COLUMN "password_epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "recovery_epoch" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "user" ALTER COLUMN "recovery_epoch" SET DEFAULT nextval('user_recovery_epoch_seq');
ALTER SEQUENCE "user_recovery_epoch_seq" OWNED BY "user"."recovery_epoch";

-- Whatever blocks an account ends its tickets: they do not come back when the block is lifted.
CREATE FUNCTION "latchkey_end_tickets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."recovery_epoch" := nextval('user_recovery_epoch_seq');
  RETURN NEW;
END
$$;
CREATE TRIGGER "block_ends_tickets" BEFORE UPDATE OF "blocked" ON "user"
FOR EACH ROW WHEN (NEW."blocked" AND NOT OLD."blocked") EXECUTE FUNCTION "latchkey_end_tickets"();

-- AlterTable
ALTER TABLE "ticket" ADD COLUMN     "family_id" UUID,
ADD COLUMN     "password_epoch" INTEGER,
ADD COLUMN     "recovery_epoch" BIGINT,
ADD COLUMN     "sid" TEXT,
ADD COLUMN     "user_id" TEXT;

-- Links that are on their way. Those that the account portal made lived an hour and carry nothing of their session: they end here, as do
-- links to add a factor beside another one, which cannot be told from those that the portal made.
UPDATE "ticket" SET "user_id" = "payload" ->> 'userId', "recovery_epoch" = 0,
  "password_epoch" = CASE WHEN "kind" <> 'restore-email' THEN 0 END
WHERE "consumed_at" IS NULL AND "kind" IN ('reset-password', 'verify-email', 'restore-email', 'mfa-enrollment', 'mfa-device', 'login')
  AND NOT ("kind" = 'reset-password' AND "payload" ->> 'proves' = 'false' AND "expires_at" - "created_at" <= interval '1 hour')
  AND NOT ("kind" = 'mfa-enrollment' AND ("payload" ->> 'multiple')::boolean);
