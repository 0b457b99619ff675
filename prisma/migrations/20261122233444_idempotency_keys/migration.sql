-- CreateTable
CREATE TABLE "idempotency_key" (
    "tenant_id" TEXT NOT NULL,
    "caller" BYTEA NOT NULL,
    "key" BYTEA NOT NULL,
    "request" BYTEA NOT NULL,
    "sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("caller","key","tenant_id")
);

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");
