-- AlterTable
ALTER TABLE "role" ADD COLUMN     "kept" JSONB NOT NULL DEFAULT '{}';
