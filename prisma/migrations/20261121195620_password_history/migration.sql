-- AlterTable
ALTER TABLE "identity" ADD COLUMN     "password_history" TEXT[] DEFAULT ARRAY[]::TEXT[];
