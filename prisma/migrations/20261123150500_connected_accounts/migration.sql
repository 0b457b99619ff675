-- AlterTable
ALTER TABLE "identity" ADD COLUMN "connected_at" TIMESTAMPTZ(3);
