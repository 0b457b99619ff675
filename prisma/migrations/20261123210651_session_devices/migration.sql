-- AlterTable
ALTER TABLE "session" ADD COLUMN     "initial_ip" TEXT,
ADD COLUMN     "initial_user_agent" TEXT;
