-- AlterTable
ALTER TABLE "role" ADD COLUMN     "administers_organization" BOOLEAN NOT NULL DEFAULT false;
