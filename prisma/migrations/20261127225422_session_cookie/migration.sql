-- AlterTable
ALTER TABLE "session" ADD COLUMN     "persistent" BOOLEAN;
