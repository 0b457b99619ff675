-- CreateTable
CREATE TABLE "one_time_code" (
    "tenant_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "request" JSONB,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_code_pkey" PRIMARY KEY ("tenant_id","connection_id","address")
);

-- CreateIndex
CREATE INDEX "one_time_code_expires_at_idx" ON "one_time_code" USING BRIN ("expires_at");
