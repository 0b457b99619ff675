-- AlterTable
ALTER TABLE "user" ADD COLUMN     "deletion_requested_at" TIMESTAMPTZ(3);

-- The requests that wait for an approval
CREATE INDEX "user_deletion_requested_idx" ON "user"("tenant_id", "deletion_requested_at") WHERE "deletion_requested_at" IS NOT NULL;
