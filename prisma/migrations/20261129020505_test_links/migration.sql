-- AlterTable
ALTER TABLE "login_share" ADD COLUMN     "client_id" TEXT,
ADD COLUMN     "client_name" TEXT,
ADD COLUMN     "connection" TEXT,
ADD COLUMN     "last_tried_at" TIMESTAMPTZ(3),
ADD COLUMN     "logins" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "max_tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "organization" TEXT,
ADD COLUMN     "organization_name" TEXT;
