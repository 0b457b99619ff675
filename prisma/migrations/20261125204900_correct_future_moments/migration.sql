-- AlterTable
ALTER TABLE "authenticator" ADD COLUMN     "ahead_step" INTEGER;

-- AlterTable
ALTER TABLE "attempt_counter" ADD COLUMN     "counted_at" TIMESTAMPTZ(3);
