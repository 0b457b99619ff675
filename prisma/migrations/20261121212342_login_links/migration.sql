-- AlterTable
ALTER TABLE "one_time_code" ADD COLUMN     "answer" TEXT,
ADD COLUMN     "link_digest" BYTEA,
ADD COLUMN     "login_digest" BYTEA,
ADD COLUMN     "number" TEXT;
