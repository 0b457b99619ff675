-- AlterTable
ALTER TABLE "authenticator" ADD COLUMN     "secret_digest" BYTEA,
ADD COLUMN     "vouched" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "known_browser" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "network" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "remembered_until" TIMESTAMPTZ(3),

    CONSTRAINT "known_browser_pkey" PRIMARY KEY ("tenant_id","user_id","digest")
);

-- CreateTable
CREATE TABLE "mfa_challenge" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "transaction_digest" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "authenticator_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "code_digest" BYTEA,
    "number" TEXT,
    "about" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'pending',
    "polled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mfa_challenge_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "known_browser_seen_at_idx" ON "known_browser" USING BRIN ("seen_at");

-- CreateIndex
CREATE INDEX "mfa_challenge_tenant_id_authenticator_id_idx" ON "mfa_challenge"("tenant_id", "authenticator_id");

-- CreateIndex
CREATE INDEX "mfa_challenge_expires_at_idx" ON "mfa_challenge" USING BRIN ("expires_at");

-- AddForeignKey
ALTER TABLE "known_browser" ADD CONSTRAINT "known_browser_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
