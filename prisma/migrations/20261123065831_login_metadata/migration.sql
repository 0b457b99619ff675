-- AlterTable
ALTER TABLE "session" ADD COLUMN     "metadata" JSONB;

-- AlterTable
ALTER TABLE "token_family" ADD COLUMN     "metadata" JSONB;
