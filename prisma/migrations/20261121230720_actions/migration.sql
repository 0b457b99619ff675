-- CreateTable
CREATE TABLE "action" (
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "action_pkey" PRIMARY KEY ("tenant_id","name")
);

-- CreateTable
CREATE TABLE "action_run" (
    "tenant_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "trigger" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "user_id" TEXT,
    "client_id" TEXT,
    "milliseconds" DOUBLE PRECISION NOT NULL,
    "lines" JSON NOT NULL,

    CONSTRAINT "action_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "action_run_tenant_id_id_idx" ON "action_run"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "action_run_at_idx" ON "action_run"("at");

-- AddForeignKey
ALTER TABLE "action" ADD CONSTRAINT "action_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
