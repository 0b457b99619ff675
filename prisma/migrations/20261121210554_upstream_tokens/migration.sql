-- AlterTable
ALTER TABLE "identity" ADD COLUMN     "sealed_tokens" BYTEA;
