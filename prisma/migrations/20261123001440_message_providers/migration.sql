-- CreateTable
CREATE TABLE "message_provider" (
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "channels" TEXT[],
    "name" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "sealed_credentials" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_provider_pkey" PRIMARY KEY ("tenant_id","kind")
);

-- AddForeignKey
ALTER TABLE "message_provider" ADD CONSTRAINT "message_provider_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
