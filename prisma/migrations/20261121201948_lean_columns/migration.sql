-- DropIndex
DROP INDEX "token_family_tenant_id_client_id_idx";

-- AlterTable
ALTER TABLE "login_transaction" ALTER COLUMN "origin" SET DATA TYPE JSON,
ALTER COLUMN "wants" SET DATA TYPE JSON,
ALTER COLUMN "evidence" SET DATA TYPE JSON,
ALTER COLUMN "decisions" SET DATA TYPE JSON;

-- AlterTable
ALTER TABLE "session" ALTER COLUMN "evidence" SET DATA TYPE JSON;

-- AlterTable
ALTER TABLE "token_family" ALTER COLUMN "authentication" SET DATA TYPE JSON;
