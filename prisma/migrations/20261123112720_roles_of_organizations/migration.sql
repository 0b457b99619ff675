-- AlterTable
ALTER TABLE "role" ADD COLUMN     "assignable_by_organization" BOOLEAN NOT NULL DEFAULT false;
