-- AlterTable
ALTER TABLE "user" ADD COLUMN     "factor_wanted_at" TIMESTAMPTZ(3);
