-- DropForeignKey
ALTER TABLE "session" DROP CONSTRAINT "session_tenant_id_user_id_fkey";

-- DropForeignKey
ALTER TABLE "token_family" DROP CONSTRAINT "token_family_tenant_id_user_id_fkey";

-- DropIndex
DROP INDEX "login_transaction_expires_at_idx";

-- DropIndex
DROP INDEX "session_expires_at_idx";

-- DropIndex
DROP INDEX "attempt_counter_expires_at_idx";

-- DropIndex
DROP INDEX "device_authorization_expires_at_idx";

-- DropIndex
DROP INDEX "token_family_expires_at_idx";

-- DropIndex
DROP INDEX "ticket_expires_at_idx";

-- AlterTable
ALTER TABLE "user" ADD COLUMN     "not_before" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "token_family" ADD COLUMN     "redeemed_at" TIMESTAMPTZ(3);

-- DropTable
DROP TABLE "authorization_code";

-- CreateIndex
CREATE INDEX "login_transaction_expires_at_idx" ON "login_transaction" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "attempt_counter_expires_at_idx" ON "attempt_counter" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "device_authorization_expires_at_idx" ON "device_authorization" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "token_family_expires_at_idx" ON "token_family" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "ticket_expires_at_idx" ON "ticket" USING BRIN ("expires_at");
