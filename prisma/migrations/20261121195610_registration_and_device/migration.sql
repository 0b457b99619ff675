-- AlterTable
ALTER TABLE "client" ADD COLUMN     "registration_digest" BYTEA;

-- CreateTable
CREATE TABLE "device_authorization" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_code_digest" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "audience" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "interval_seconds" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "family_id" UUID NOT NULL,
    "user_id" TEXT,
    "sid" TEXT,
    "authentication" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_authorization_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "device_authorization_expires_at_idx" ON "device_authorization"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_authorization_tenant_id_user_code_digest_key" ON "device_authorization"("tenant_id", "user_code_digest");
