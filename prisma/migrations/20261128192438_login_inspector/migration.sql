-- CreateTable
CREATE TABLE "login_record" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "client_id" TEXT,
    "client_name" TEXT,
    "connection" TEXT,
    "user_id" TEXT,
    "person" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_record_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "login_part" (
    "tenant_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "login_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "login_part_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "login_record_tenant_id_started_at_idx" ON "login_record"("tenant_id", "started_at");

-- CreateIndex
CREATE INDEX "login_record_expires_at_idx" ON "login_record"("expires_at");

-- CreateIndex
CREATE INDEX "login_part_tenant_id_login_id_at_idx" ON "login_part"("tenant_id", "login_id", "at");

-- CreateIndex
CREATE INDEX "login_part_expires_at_idx" ON "login_part"("expires_at");

-- AddForeignKey
ALTER TABLE "login_part" ADD CONSTRAINT "login_part_tenant_id_login_id_fkey" FOREIGN KEY ("tenant_id", "login_id") REFERENCES "login_record"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
