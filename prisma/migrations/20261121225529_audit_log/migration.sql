-- CreateTable
CREATE TABLE "audit_record" (
    "tenant_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    "log_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "content" TEXT NOT NULL,
    "personal" TEXT,
    "salt" BYTEA,
    "personal_digest" BYTEA NOT NULL,
    "user_id" TEXT,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_record_pkey" PRIMARY KEY ("tenant_id","seq","stored_at")
) PARTITION BY RANGE ("stored_at");

-- What comes on a day that has no partition, such as where the server may not make one.
CREATE TABLE "audit_record_default" PARTITION OF "audit_record" DEFAULT;

-- CreateTable
CREATE TABLE "audit_chain" (
    "tenant_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    "anchor_seq" BIGINT NOT NULL,
    "anchor_hash" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateIndex
CREATE INDEX "audit_record_tenant_id_log_id_idx" ON "audit_record"("tenant_id", "log_id");

-- CreateIndex
CREATE INDEX "audit_record_tenant_id_user_id_seq_idx" ON "audit_record"("tenant_id", "user_id", "seq");

-- CreateIndex
CREATE INDEX "audit_record_tenant_id_type_seq_idx" ON "audit_record"("tenant_id", "type", "seq");
