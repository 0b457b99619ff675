-- AlterTable
ALTER TABLE "known_browser" DROP COLUMN "network";
