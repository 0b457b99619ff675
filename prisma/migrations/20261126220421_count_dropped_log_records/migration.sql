-- AlterTable
ALTER TABLE "log_stream" ADD COLUMN     "dropped" INTEGER NOT NULL DEFAULT 0;
