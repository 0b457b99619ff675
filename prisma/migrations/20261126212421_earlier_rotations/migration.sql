-- AlterTable
ALTER TABLE "token_family" ADD COLUMN     "earlier_rotations" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];
