-- CreateTable
CREATE TABLE "log_stream" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "filters" TEXT[],
    "sealed_sink" BYTEA NOT NULL,
    "kept" JSONB NOT NULL,
    "seq" BIGINT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_stream_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "log_stream_due_at_idx" ON "log_stream"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "log_stream_tenant_id_name_key" ON "log_stream"("tenant_id", "name");

-- AddForeignKey
ALTER TABLE "log_stream" ADD CONSTRAINT "log_stream_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
