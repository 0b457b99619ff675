-- AlterTable
ALTER TABLE "user" ADD COLUMN "link_declined" TEXT;
