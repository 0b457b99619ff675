-- CreateTable
CREATE TABLE "guess_source" (
    "tenant_id" TEXT NOT NULL,
    "account" BYTEA NOT NULL,
    "key" BYTEA NOT NULL,
    "address" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "guess_source_pkey" PRIMARY KEY ("account","tenant_id","key")
);

-- CreateIndex
CREATE INDEX "guess_source_expires_at_idx" ON "guess_source"("expires_at");
