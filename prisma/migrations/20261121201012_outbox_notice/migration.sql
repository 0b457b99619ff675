-- AlterTable
ALTER TABLE "outbox_message" ADD COLUMN     "notice" JSONB;
