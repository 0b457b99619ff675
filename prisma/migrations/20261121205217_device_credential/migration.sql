-- CreateTable
CREATE TABLE "device_credential" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "device_name" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_credential_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "device_credential_tenant_id_user_id_idx" ON "device_credential"("tenant_id", "user_id");

-- AddForeignKey
ALTER TABLE "device_credential" ADD CONSTRAINT "device_credential_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
