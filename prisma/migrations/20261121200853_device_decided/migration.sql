-- AlterTable
ALTER TABLE "device_authorization" DROP COLUMN "consumed_at",
ADD COLUMN     "decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "told_at" TIMESTAMPTZ(3);
