-- CreateTable
CREATE TABLE "ticket" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "ticket_tenant_id_kind_subject_idx" ON "ticket"("tenant_id", "kind", "subject");

-- CreateIndex
CREATE INDEX "ticket_expires_at_idx" ON "ticket"("expires_at");
