-- AlterTable
ALTER TABLE "user" ADD COLUMN     "delete_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "user_delete_at_idx" ON "user"("delete_at") WHERE "delete_at" IS NOT NULL;
