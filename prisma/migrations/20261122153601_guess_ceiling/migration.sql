-- AlterTable
ALTER TABLE "attempt_counter" ADD COLUMN     "known" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "not_before" TIMESTAMPTZ(3);
