-- AlterTable
ALTER TABLE "one_time_code" ADD COLUMN     "known_guesses" INTEGER NOT NULL DEFAULT 0;
