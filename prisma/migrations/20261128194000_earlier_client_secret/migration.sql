-- AlterTable
ALTER TABLE "client" ADD COLUMN     "earlier_secret_digest" BYTEA,
ADD COLUMN     "earlier_secret_expires_at" TIMESTAMPTZ(3);
